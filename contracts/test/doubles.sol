// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// Stands for a generated verifier: does what the first word of the proof says.
contract VerifierDouble {
    function verify(bytes calldata proof, bytes32[] calldata publicInputs) external view returns (bool) {
        uint256 mode = abi.decode(proof, (uint256));
        if (mode == 1) return true;
        if (mode == 2) revert("bad proof");
        if (mode == 3) assembly { invalid() }
        if (mode == 4) while (gasleft() > 0) { }
        // What a real verification costs, and a few times that: still true.
        if (mode == 5) while (gasleft() > 4_000_000) { }
        // Whether it was shown the inputs whose hash is the second word.
        if (mode == 6) return keccak256(abi.encodePacked(publicInputs)) == bytes32(proof[32:64]);
        return mode == 5;
    }
}

/// A contract wallet that accepts signatures of its owner (ERC-1271), and one particular word.
contract WalletDouble {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(signature.length == 65, "not ours");
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        return ecrecover(hash, uint8(signature[64]), r, s) == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

interface IFront {
    function verify(bytes calldata proof, bytes32[] calldata publicInputs) external view returns (bool);
}

/// Tells how much gas a verification took, which eth_call does not.
contract GasMeter {
    function measure(address front, bytes calldata proof, bytes32[] calldata publicInputs)
        external
        view
        returns (bool valid, uint256 used)
    {
        uint256 before = gasleft();
        valid = IFront(front).verify(proof, publicInputs);
        used = before - gasleft();
    }
}
