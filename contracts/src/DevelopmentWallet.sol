// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @title A contract wallet with one owner, for tests and local chains.
/// @notice It stands for what its owner's key signed (ERC-1271) and does what its owner tells it to. Its signatures are
/// one byte longer than a key's, so that nothing takes them for a key's.
contract DevelopmentWallet {
    /// Answer of ERC-1271 for a good signature: the selector of the question.
    bytes4 private constant MAGIC = 0x1626ba7e;
    /// First byte of a signature of this wallet.
    bytes1 private constant KIND = 0x01;
    /// secp256k1 order / 2: of the two equivalent values of s only the smaller one is taken.
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    address public immutable owner;

    error NotOwner();
    error CallFailed();

    constructor(address owner_) {
        owner = owner_;
    }

    /// @notice ERC-1271. `signature` is 0x01, r, s, v and anything behind it.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length < 66 || signature[0] != KIND) return 0xffffffff;
        bytes32 r = bytes32(signature[1:33]);
        bytes32 s = bytes32(signature[33:65]);
        if (uint256(s) > HALF_ORDER) return 0xffffffff;
        address signer = ecrecover(hash, uint8(signature[65]), r, s);
        return signer != address(0) && signer == owner ? MAGIC : bytes4(0xffffffff);
    }

    /// @notice Calls a contract in the owner's name. Calldata behind the arguments is ignored.
    function execute(address target, bytes calldata data) external {
        require(msg.sender == owner, NotOwner());
        (bool done,) = target.call(data);
        require(done, CallFailed());
    }
}
