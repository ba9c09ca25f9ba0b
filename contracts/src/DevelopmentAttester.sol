// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {
    AttestationRequest,
    AttestationRequestData,
    DevelopmentRegistry,
    RevocationRequest
} from "./DevelopmentRegistry.sol";

/// @title DevelopmentAttester
/// @notice Stands on local chains for the attester whose transactions the wallet circuits read: the same two
/// calls, byte for byte, from a few authorised signers. Whoever reads the public mnemonic can sign for them,
/// so an attestation made here says nothing about anybody.
///
/// Signers and schemas are immutable: the contract has no storage, and its code alone is the whole contract.
contract DevelopmentAttester {
    DevelopmentRegistry public constant registry = DevelopmentRegistry(0x4200000000000000000000000000000000000021);

    bytes32 public immutable accountSchema;
    /// @notice Zero where countries are not attested.
    bytes32 public immutable countrySchema;
    address private immutable signer0;
    address private immutable signer1;
    address private immutable signer2;
    address private immutable signer3;

    /// What the circuits match is the whole calldata: anything longer or shorter is another call to them.
    uint256 private constant CALL_LENGTH = 36;

    error NotASigner(address caller);
    error InvalidRecipient();
    error InvalidCountry();
    error InvalidCall();
    error SchemaNotOffered();

    /// @param signers the authorised signers; zero for an empty place
    constructor(address[4] memory signers, bytes32 accountSchema_, bytes32 countrySchema_) {
        (signer0, signer1, signer2, signer3) = (signers[0], signers[1], signers[2], signers[3]);
        accountSchema = accountSchema_;
        countrySchema = countrySchema_;
    }

    modifier onlySigner() {
        require(isSigner(msg.sender), NotASigner(msg.sender));
        _;
    }

    /// @notice Whether this account may attest and revoke.
    function isSigner(address account) public view returns (bool) {
        return account != address(0)
            && (account == signer0 || account == signer1 || account == signer2 || account == signer3);
    }

    /// @notice Selector 0x56feed5e: the recipient has an account whose holder was checked.
    function attestAccount(address recipient) external onlySigner returns (bytes32 uid) {
        require(msg.data.length == CALL_LENGTH, InvalidCall());
        return attest(accountSchema, recipient, abi.encode(true));
    }

    /// @notice Selector 0x0a225248: the recipient's country of residence.
    /// @param countryAndRecipient ten zero bytes, two capital letters, the recipient's twenty bytes
    function attestCountry(uint256 countryAndRecipient) external onlySigner returns (bytes32 uid) {
        require(msg.data.length == CALL_LENGTH && countryAndRecipient >> 176 == 0, InvalidCall());
        bytes2 country = bytes2(uint16(countryAndRecipient >> 160));
        require(isLetter(country[0]) && isLetter(country[1]), InvalidCountry());
        return attest(
            countrySchema, address(uint160(countryAndRecipient)), abi.encode(string(abi.encodePacked(country)))
        );
    }

    /// @notice Revokes an attestation made here.
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
