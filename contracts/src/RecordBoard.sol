// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// @title RecordBoard
/// @notice Records posts as events only: anyone can check on the chain that a text existed, unchanged, at a time.
/// Everything is a hash; nothing on chain says who wrote what. The board has no state and grants no rights: readers
/// decide whose records count.
contract RecordBoard {
    event Recorded(
        bytes32 indexed postIdHash,
        bytes32 indexed contentHash,
        bytes32 authorHash,
        bytes32 recorderHash,
        address indexed sender,
        uint256 timestamp
    );

    /// @notice Records one post.
    /// @param postIdHash hash of the post's id
    /// @param contentHash hash of the recorded text
    /// @param authorHash hash that represents the author
    /// @param recorderHash hash that represents the member who requested the record
    function record(bytes32 postIdHash, bytes32 contentHash, bytes32 authorHash, bytes32 recorderHash) external {
        emit Recorded(postIdHash, contentHash, authorHash, recorderHash, msg.sender, block.timestamp);
    }
}
