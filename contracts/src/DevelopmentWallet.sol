// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @title A contract wallet with one owner, for tests and local chains.
/// @notice It accepts signatures of its owner's key (ERC-1271) and executes calls of its owner. Its signatures are one
/// byte longer than those of a key, so that nothing confuses the two.
contract DevelopmentWallet {
    /// Result of ERC-1271 for a valid signature: the selector of isValidSignature.
    bytes4 private constant MAGIC = 0x1626ba7e;
    /// First byte of a signature of this wallet.
    bytes1 private constant KIND = 0x01;
    /// secp256k1 order / 2: only the smaller of the two equivalent values of s is valid.
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    address public immutable owner;

    error NotOwner();
    error CallFailed();

    constructor(address owner_) {
        owner = owner_;
    }

    /// @notice ERC-1271. `signature` is 0x01, r, s, v and optional further bytes.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length < 66 || signature[0] != KIND) return 0xffffffff;
        bytes32 r = bytes32(signature[1:33]);
        bytes32 s = bytes32(signature[33:65]);
        if (uint256(s) > HALF_ORDER) return 0xffffffff;
        address signer = ecrecover(hash, uint8(signature[65]), r, s);
        return signer != address(0) && signer == owner ? MAGIC : bytes4(0xffffffff);
    }

    /// @notice Calls a contract for the owner. Ignores calldata after the arguments.
    function execute(address target, bytes calldata data) external {
        require(msg.sender == owner, NotOwner());
        (bool done,) = target.call(data);
        require(done, CallFailed());
    }
}
