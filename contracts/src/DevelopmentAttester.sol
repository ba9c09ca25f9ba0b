// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {
    AttestationRequest,
    AttestationRequestData,
    DevelopmentRegistry,
    RevocationRequest
} from "./DevelopmentRegistry.sol";

/// @title DevelopmentAttester
/// @notice Replaces, on local chains, the attester whose transactions the wallet circuits read: the same two
/// calls, byte for byte, from a few authorized signers. Their mnemonic is public, so these attestations prove
/// nothing.
///
/// Signers and schemas are immutable: the contract has no storage, and its code alone is the whole contract.
contract DevelopmentAttester {
    DevelopmentRegistry public constant registry = DevelopmentRegistry(0x4200000000000000000000000000000000000021);

    bytes32 public immutable accountSchema;
    /// @notice Zero on chains without country attestations.
    bytes32 public immutable countrySchema;
    address private immutable signer0;
    address private immutable signer1;
    address private immutable signer2;
    address private immutable signer3;

    /// The circuits match the whole calldata: a longer or shorter one is a different call.
    uint256 private constant CALL_LENGTH = 36;

    error NotASigner(address caller);
    error InvalidRecipient();
    error InvalidCountry();
    error InvalidCall();
    error SchemaNotOffered();

    /// @param signers the authorized signers; zero for an empty place
    constructor(address[4] memory signers, bytes32 accountSchema_, bytes32 countrySchema_) {
        (signer0, signer1, signer2, signer3) = (signers[0], signers[1], signers[2], signers[3]);
        accountSchema = accountSchema_;
        countrySchema = countrySchema_;
    }

    modifier onlySigner() {
        require(isSigner(msg.sender), NotASigner(msg.sender));
        _;
    }

    /// @notice Returns whether this account may attest and revoke.
    function isSigner(address account) public view returns (bool) {
        return account != address(0)
            && (account == signer0 || account == signer1 || account == signer2 || account == signer3);
    }

    /// @notice Attests that the recipient's holder was verified. Selector 0x56feed5e.
    function attestAccount(address recipient) external onlySigner returns (bytes32 uid) {
        require(msg.data.length == CALL_LENGTH, InvalidCall());
        return attest(accountSchema, recipient, abi.encode(true));
    }

    /// @notice Attests the recipient's country of residence. Selector 0x0a225248.
    /// @param countryAndRecipient ten zero bytes, two capital letters, the recipient's twenty bytes
    function attestCountry(uint256 countryAndRecipient) external onlySigner returns (bytes32 uid) {
        require(msg.data.length == CALL_LENGTH && countryAndRecipient >> 176 == 0, InvalidCall());
        bytes2 country = bytes2(uint16(countryAndRecipient >> 160));
        require(isLetter(country[0]) && isLetter(country[1]), InvalidCountry());
        return attest(
            countrySchema, address(uint160(countryAndRecipient)), abi.encode(string(abi.encodePacked(country)))
        );
    }

    /// @notice Revokes an attestation of this contract.
    function revoke(RevocationRequest calldata request) external onlySigner {
        registry.revoke(request);
    }

    function attest(bytes32 schema, address recipient, bytes memory data) private returns (bytes32 uid) {
        require(recipient != address(0), InvalidRecipient());
        require(schema != 0, SchemaNotOffered());
        return registry.attest(
            AttestationRequest({
                schema: schema,
                data: AttestationRequestData({
                    recipient: recipient,
                    expirationTime: 0,
                    revocable: true,
                    refUID: 0,
                    data: data,
                    value: 0
                })
            })
        );
    }

    function isLetter(bytes1 char) private pure returns (bool) {
        return char >= "A" && char <= "Z";
    }
}
