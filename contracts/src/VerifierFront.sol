// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

interface IVerifier {
    function verify(bytes calldata proof, bytes32[] calldata publicInputs) external view returns (bool);
}

/// @notice How a verifier computes the digest that a wallet signed for a proof.
/// - None: no wallet signs.
/// - Message: EIP-191 personal_sign over the 32 bytes in inputs 0-31.
/// - MessageOrAction: the same if inputs 64-95 are zero; otherwise the EIP-712 digest of the domain separator in
///   inputs 32-63 and the struct hash in inputs 64-95. The circuit refuses half an action.
enum SignedDigest {
    None,
    Message,
    MessageOrAction
}

/// @title VerifierFront
/// @notice Verifies proofs of a circuit: a generated verifier behind checks that do not depend on the version of its
/// generator.
/// - It refuses a public input that is not below the scalar modulus: x and x + r would be one statement in two
///   encodings. Verifiers of bb 5 refuse it too (they revert); those of other versions did not.
/// - It refuses a word above 255 that is declared as a byte, so that readers can safely use the low byte.
/// - If a wallet signs, the circuit takes the digest as 32 more public inputs, one byte each. The digest follows from
///   the others, so callers do not pass it: this contract computes and appends it. Without it a proof says nothing
///   about what was signed, so do not call the generated verifier directly.
/// - It returns false for an invalid proof. The verifier reverts, and for some malformed proofs burns all the gas it
///   gets; here it gets VERIFIER_GAS.
///
/// Gas: a verifier that runs out of gas would look like an invalid proof, so verify() reverts with NotEnoughGas unless
/// it can pass on all of VERIFIER_GAS. Call it with at least 13,000,000 gas. Then false is always about the proof, and
/// a revert is always about the call.
contract VerifierFront {
    /// @notice Gas for one verification: about three times what a verifier of this size uses.
    uint256 public constant VERIFIER_GAS = 12_000_000;
    /// @notice BN254 scalar modulus.
    uint256 public constant MODULUS = 21888242871839275222246405745257275088548364400416034343698204186575808495617;
    // EIP-150 keeps back 1/64; the rest must be VERIFIER_GAS plus the calldata copy.
    uint256 private constant GAS_NEEDED = VERIFIER_GAS * 64 / 63 + 100_000;

    IVerifier public immutable verifier;
    uint256 public immutable numPublicInputs;
    /// @notice Bit i is set when public input i is a byte, and in byteWordsHigh when input 256 + i is.
    uint256 public immutable byteWords;
    uint256 public immutable byteWordsHigh;
    /// @notice Which digest is appended to the public inputs.
    SignedDigest public immutable signedDigest;

    error NotEnoughGas();
    error NotAVerifier();
    error BadLayout();

    /// @param verifier_ the generated verifier
    /// @param numPublicInputs_ how many public inputs callers pass; at most 512
    /// @param byteWords_ bit i set when input i is a byte; no bit for an input that does not exist
    /// @param byteWordsHigh_ the same for input 256 + i
    /// @param signedDigest_ which digest is appended; the inputs it is computed from must be bytes
    constructor(
        address verifier_,
        uint256 numPublicInputs_,
        uint256 byteWords_,
        uint256 byteWordsHigh_,
        SignedDigest signedDigest_
    ) {
        require(verifier_.code.length != 0, NotAVerifier());
        require(numPublicInputs_ <= 512, BadLayout());
        uint256 low = numPublicInputs_ < 256 ? numPublicInputs_ : 256;
        // A shift by 256 gives 0.
        require(byteWords_ >> low == 0, BadLayout());
        require(byteWordsHigh_ >> (numPublicInputs_ - low) == 0, BadLayout());
        uint256 signedWords = signedDigest_ == SignedDigest.None ? 0 : signedDigest_ == SignedDigest.Message ? 32 : 96;
        uint256 signedMask = (1 << signedWords) - 1;
        require(byteWords_ & signedMask == signedMask, BadLayout());
        verifier = IVerifier(verifier_);
        numPublicInputs = numPublicInputs_;
        byteWords = byteWords_;
        byteWordsHigh = byteWordsHigh_;
        signedDigest = signedDigest_;
    }

    /// @notice Returns whether `proof` proves the circuit for exactly these public inputs in canonical form.
    function verify(bytes calldata proof, bytes32[] calldata publicInputs) external view returns (bool) {
        if (publicInputs.length != numPublicInputs) return false;
        for (uint256 i = 0; i < publicInputs.length; i++) {
            uint256 bytesMask = i < 256 ? byteWords : byteWordsHigh;
            uint256 limit = (bytesMask >> (i % 256)) & 1 == 1 ? 256 : MODULUS;
            if (uint256(publicInputs[i]) >= limit) return false;
        }
        bytes32[] memory circuitInputs = signedDigest == SignedDigest.None ? publicInputs : withDigest(publicInputs);
        require(gasleft() >= GAS_NEEDED, NotEnoughGas());
        try verifier.verify{gas: VERIFIER_GAS}(proof, circuitInputs) returns (bool valid) {
            return valid;
        } catch {
            return false;
        }
    }

    /// Returns the public inputs followed by the digest that the wallet signed, one byte per word.
    function withDigest(bytes32[] calldata publicInputs) private view returns (bytes32[] memory all) {
        bytes32 digest = digestOf(publicInputs);
        uint256 count = publicInputs.length;
        all = new bytes32[](count + 32);
        for (uint256 i = 0; i < count; i++) all[i] = publicInputs[i];
        for (uint256 i = 0; i < 32; i++) all[count + i] = bytes32(uint256(uint8(digest[i])));
    }

    function digestOf(bytes32[] calldata publicInputs) private view returns (bytes32) {
        if (signedDigest == SignedDigest.MessageOrAction) {
            bytes32 actionHash = valueAt(publicInputs, 64);
            if (actionHash != 0) return keccak256(abi.encodePacked(hex"1901", valueAt(publicInputs, 32), actionHash));
        }
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", valueAt(publicInputs, 0)));
    }
}

/// Returns the 32 bytes in the words from `from` on, one byte per word. Words above 255 would overlap; the front refuses
/// them where the layout has bytes.
function valueAt(bytes32[] calldata publicInputs, uint256 from) pure returns (bytes32) {
    uint256 value = 0;
    for (uint256 i = from; i < from + 32; i++) value = (value << 8) | uint256(publicInputs[i]);
    return bytes32(value);
}
