// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// An attestation with the fields of the Ethereum Attestation Service.
struct Attestation {
    bytes32 uid;
    bytes32 schema;
    uint64 time;
    /// 0: never
    uint64 expirationTime;
    /// 0: not revoked
    uint64 revocationTime;
    bytes32 refUID;
    address recipient;
    address attester;
    bool revocable;
    bytes data;
}

struct AttestationRequestData {
    address recipient;
    uint64 expirationTime;
    bool revocable;
    bytes32 refUID;
    bytes data;
    uint256 value;
}

struct AttestationRequest {
    bytes32 schema;
    AttestationRequestData data;
}

struct RevocationRequestData {
    bytes32 uid;
    uint256 value;
}

struct RevocationRequest {
    bytes32 schema;
    RevocationRequestData data;
}

/// @title DevelopmentRegistry
/// @notice Replaces the Ethereum Attestation Service on local chains: the events, functions and structs that
/// production code reads, with the same selectors. It has no schema registration, no resolvers and no delegated
/// calls. It has no constructor state, so that its code can be installed at the service's own address.
contract DevelopmentRegistry {
    event Attested(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID);
    event Revoked(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID);

    error AccessDenied();
    error AlreadyRevoked();
    error InvalidExpirationTime();
    error InvalidSchema();
    error Irrevocable();
    error NotFound();
    error NotPayable();

    mapping(bytes32 uid => Attestation) private attestations;

    /// @notice Attests with the caller as attester.
    /// @return uid of the new attestation
    function attest(AttestationRequest calldata request) external payable returns (bytes32 uid) {
        AttestationRequestData calldata data = request.data;
        require(msg.value == 0 && data.value == 0, NotPayable());
        require(request.schema != 0, InvalidSchema());
        require(data.expirationTime == 0 || data.expirationTime > block.timestamp, InvalidExpirationTime());
        require(data.refUID == 0 || attestations[data.refUID].uid != 0, NotFound());

        Attestation memory made = Attestation({
            uid: 0,
            schema: request.schema,
            time: uint64(block.timestamp),
            expirationTime: data.expirationTime,
            revocationTime: 0,
            refUID: data.refUID,
            recipient: data.recipient,
            attester: msg.sender,
            revocable: data.revocable,
            data: data.data
        });
        // The bump distinguishes equal attestations in one block.
        for (uint32 bump = 0; uid == 0 || attestations[uid].uid != 0; bump++) {
            uid = uidOf(made, bump);
        }
        made.uid = uid;
        attestations[uid] = made;
        emit Attested(made.recipient, made.attester, uid, made.schema);
    }

    /// @notice Revokes an attestation of the caller.
    function revoke(RevocationRequest calldata request) external payable {
        require(msg.value == 0 && request.data.value == 0, NotPayable());
        Attestation storage made = attestations[request.data.uid];
        require(made.uid != 0, NotFound());
        require(made.schema == request.schema, InvalidSchema());
        require(made.attester == msg.sender, AccessDenied());
        require(made.revocable, Irrevocable());
        require(made.revocationTime == 0, AlreadyRevoked());
        made.revocationTime = uint64(block.timestamp);
        emit Revoked(made.recipient, made.attester, made.uid, made.schema);
    }

    /// @notice Returns an attestation by its ID; all zero if there is none.
    function getAttestation(bytes32 uid) external view returns (Attestation memory) {
        return attestations[uid];
    }

    function uidOf(Attestation memory made, uint32 bump) private pure returns (bytes32) {
        return keccak256(
            abi.encodePacked(
                made.schema,
                made.recipient,
                made.attester,
                made.time,
                made.expirationTime,
                made.revocable,
                made.refUID,
                made.data,
                bump
            )
        );
    }
}
