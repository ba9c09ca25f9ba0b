// Generated from src/RecordBoard.sol by "npm run contracts:build". Do not edit.
export const RecordBoard = {
  contractName: "RecordBoard",
  solcVersion: "0.8.37",
  sourceSha256: "8d155a51154ce705489b0a8da2baf6cb0d609af8c42c30e32085b3ebfa01c3d4",
  abi: [{"anonymous":false,"inputs":[{"indexed":true,"internalType":"bytes32","name":"postIdHash","type":"bytes32"},{"indexed":true,"internalType":"bytes32","name":"contentHash","type":"bytes32"},{"indexed":false,"internalType":"bytes32","name":"authorHash","type":"bytes32"},{"indexed":false,"internalType":"bytes32","name":"recorderHash","type":"bytes32"},{"indexed":true,"internalType":"address","name":"sender","type":"address"},{"indexed":false,"internalType":"uint256","name":"timestamp","type":"uint256"}],"name":"Recorded","type":"event"},{"inputs":[{"internalType":"bytes32","name":"postIdHash","type":"bytes32"},{"internalType":"bytes32","name":"contentHash","type":"bytes32"},{"internalType":"bytes32","name":"authorHash","type":"bytes32"},{"internalType":"bytes32","name":"recorderHash","type":"bytes32"}],"name":"record","outputs":[],"stateMutability":"nonpayable","type":"function"}],
  bytecode: "0x6080604052348015600e575f5ffd5b5060b580601a5f395ff3fe6080604052348015600e575f5ffd5b50600436106026575f3560e01c80637c40cafb14602a575b5f5ffd5b603960353660046087565b603b565b005b6040805183815260208101839052428183015290513391859187917fd52fe3e4a5b59dcac8ecaf102e2ce74b657860e561faa031e12f16cc5e2d8f59919081900360600190a450505050565b5f5f5f5f608085870312156099575f5ffd5b505082359460208401359450604084013593606001359250905056",
} as const;
