// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {SignedDigest, valueAt, VerifierFront} from "./VerifierFront.sol";

/// @title EligibleAction
/// @notice Example of an action proof: a petition register that takes one signature per verified person and
/// statement, and never learns who signed. The person's wallet signs the EIP-712 struct Signature for this
/// contract; an eligibility proof shows that a trusted attester vouched for that wallet and that it signed
/// exactly this struct. Anyone may submit it: it contains nothing of the submitter.
///
/// A valid proof says little by itself. The checks here give it meaning, with one error each: our domain, exactly
/// the action passed, an attester list we trust, our scope, and our own rules on expiry and replay.
///
/// Gas: submit with at least 14,000,000. A submission uses about 4.5 million; the front requires the rest, so that
/// a verification that runs out of gas is never mistaken for an invalid proof.
contract EligibleAction {
    /// @param statement hash of the signed text
    /// @param nonce number of this person's earlier signatures here: a submitter who holds back an old
    /// signature cannot use it after a newer one
    /// @param deadline last second for the submission
    struct Signature {
        bytes32 statement;
        uint256 nonce;
        uint256 deadline;
    }

    string public constant name = "Parley petition";
    string public constant version = "1";
    bytes32 public constant SIGNATURE_TYPEHASH = keccak256("Signature(bytes32 statement,uint256 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    // Public inputs of the eligibility circuits: six values of 32 bytes, one byte per word.
    uint256 private constant INPUTS = 192;
    uint256 private constant SIGNAL_HASH = 0;
    uint256 private constant DOMAIN = 32;
    uint256 private constant ACTION_HASH = 64;
    uint256 private constant ATTESTER_ROOT = 96;
    uint256 private constant SCOPE = 128;
    uint256 private constant NULLIFIER = 160;

    /// @notice Front of the eligibility circuit's verifier on this chain.
    VerifierFront public immutable front;
    /// @notice Merkle root over the attesters that this register trusts.
    bytes32 public immutable attesterRoot;
    /// @notice keccak256 of this register's scope string. With the community's scope, the nullifiers on this chain
    /// would be those of its members.
    bytes32 public immutable scope;

    /// @notice Number of verified people who signed a statement.
    mapping(bytes32 statement => uint256) public signatures;
    /// @notice Whether the person behind a nullifier signed a statement.
    mapping(bytes32 nullifier => mapping(bytes32 statement => bool)) public hasSigned;
    /// @notice Number of signatures by the person behind a nullifier, which is the next nonce.
    mapping(bytes32 nullifier => uint256) public nonces;

    event Signed(bytes32 indexed statement, bytes32 indexed nullifier, uint256 nonce);

    error NotAnEligibilityFront();
    error WrongNumberOfInputs(uint256 count);
    error Expired(uint256 deadline);
    error NotForThisContract(bytes32 domainSeparator);
    error NotThisAction(bytes32 actionHash);
    error UntrustedAttesters(bytes32 root);
    error WrongScope(bytes32 scope);
    error SignalNotZero(bytes32 signalHash);
    error WrongNonce(uint256 expected);
    error AlreadySigned(bytes32 statement);
    error InvalidProof();

    /// @param front_ front of the eligibility circuit's verifier
    /// @param attesterRoot_ root over the trusted attesters
    /// @param scope_ keccak256 of this register's scope string
    constructor(VerifierFront front_, bytes32 attesterRoot_, bytes32 scope_) {
        // The front must treat all words as bytes, because valueAt relies on it. It must also compute the digest that
        // the wallet signed; otherwise a proof would not be about these words.
        require(
            front_.numPublicInputs() == INPUTS && front_.byteWords() == (1 << INPUTS) - 1
                && front_.signedDigest() == SignedDigest.MessageOrAction,
            NotAnEligibilityFront()
        );
        front = front_;
        attesterRoot = attesterRoot_;
        scope = scope_;
    }

    /// @notice Counts a verified person's signature under a statement.
    /// @param proof of the eligibility circuit, in action mode
    /// @param publicInputs its 192 words
    /// @param action what the person's wallet signed
    function sign(bytes calldata proof, bytes32[] calldata publicInputs, Signature calldata action) external {
        require(publicInputs.length == INPUTS, WrongNumberOfInputs(publicInputs.length));
        require(block.timestamp <= action.deadline, Expired(action.deadline));

        bytes32 found = valueAt(publicInputs, DOMAIN);
        require(found == domainSeparator(), NotForThisContract(found));
        found = valueAt(publicInputs, ACTION_HASH);
        require(found == actionHash(action), NotThisAction(found));
        found = valueAt(publicInputs, ATTESTER_ROOT);
        require(found == attesterRoot, UntrustedAttesters(found));
        found = valueAt(publicInputs, SCOPE);
        require(found == scope, WrongScope(found));
        // The circuit requires it too: a free word would be a free message.
        found = valueAt(publicInputs, SIGNAL_HASH);
        require(found == 0, SignalNotZero(found));

        bytes32 nullifier = valueAt(publicInputs, NULLIFIER);
        require(action.nonce == nonces[nullifier], WrongNonce(nonces[nullifier]));
        require(!hasSigned[nullifier][action.statement], AlreadySigned(action.statement));
        // Last, because it costs most. It is a view, so nothing can happen between checks and effects.
        require(front.verify(proof, publicInputs), InvalidProof());

        nonces[nullifier] = action.nonce + 1;
        hasSigned[nullifier][action.statement] = true;
        signatures[action.statement]++;
        emit Signed(action.statement, nullifier, action.nonce);
    }

    /// @notice Returns the EIP-712 domain separator of this contract on this chain.
    function domainSeparator() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this))
        );
    }

    /// @notice Returns the EIP-712 hashStruct of an action.
    function actionHash(Signature calldata action) public pure returns (bytes32) {
        return keccak256(abi.encode(SIGNATURE_TYPEHASH, action.statement, action.nonce, action.deadline));
    }
}
