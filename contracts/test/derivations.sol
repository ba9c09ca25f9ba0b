// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// The derivations of the prover API as a contract would compute them, to hold the circuits' vectors against.
contract Derivations {
    function scopeWord(string calldata scope) external pure returns (bytes32) {
        return keccak256(bytes(scope));
    }

    function oidcNullifier(string calldata email, bytes32 scope) external pure returns (bytes32) {
        return keccak256(abi.encodePacked(keccak256(bytes(email)), scope));
    }

    function countrySignalHash(address user, string calldata scope, string calldata circuit)
        external
        pure
        returns (bytes32)
    {
        return keccak256(abi.encodePacked(user, scope, circuit));
    }

    function eligibilitySignalHash(string calldata circuit, string calldata scope, string calldata nonce)
        external
        pure
        returns (bytes32)
    {
        return keccak256(abi.encodePacked(circuit, ":", scope, ":", nonce));
    }

    function walletNullifier(address user, bytes32 tag, bytes32 scope) external pure returns (bytes32) {
        return keccak256(abi.encodePacked(keccak256(abi.encodePacked(user, tag)), scope));
    }

    function leaf(address signer) public pure returns (bytes32) {
        return keccak256(abi.encodePacked(signer));
    }

    /// The root that follows from a signer's place: bit i of the index says whether it is right at level i.
    function root(address signer, uint256 index, bytes32[] calldata siblings) external pure returns (bytes32 node) {
        node = leaf(signer);
        for (uint256 i = 0; i < siblings.length; i++) {
            bytes32 sibling = siblings[i];
            node = (index >> i) & 1 == 1
                ? keccak256(abi.encodePacked(sibling, node))
                : keccak256(abi.encodePacked(node, sibling));
        }
    }

    function domainSeparator(string calldata name, string calldata version, uint256 chainId, address verifyingContract)
        external
        pure
        returns (bytes32)
    {
        bytes32 domainType =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        return keccak256(
            abi.encode(domainType, keccak256(bytes(name)), keccak256(bytes(version)), chainId, verifyingContract)
        );
    }

    /// hashStruct of the vectors' example: Vote(uint256 proposal,string choice,Voter voter)Voter(bytes32 nullifier).
    function voteHash(uint256 proposal, string calldata choice, bytes32 nullifier) external pure returns (bytes32) {
        bytes32 voterHash = keccak256(abi.encode(keccak256("Voter(bytes32 nullifier)"), nullifier));
        bytes32 voteType = keccak256("Vote(uint256 proposal,string choice,Voter voter)Voter(bytes32 nullifier)");
        return keccak256(abi.encode(voteType, proposal, keccak256(bytes(choice)), voterHash));
    }

    function actionDigest(bytes32 domain, bytes32 action) external pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domain, action));
    }

    function identityDigest(bytes32 signalHash) external pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", signalHash));
    }

    /// Who signed a digest; zero when nobody did.
    function signerOf(bytes32 digest, uint8 v, bytes32 r, bytes32 s) external pure returns (address) {
        return ecrecover(digest, v, r, s);
    }
}
