/** The twelve categories (design/api.md), with ids that are the same in every installation. */
export const seededCategories = [
  ["General", "general", "Anything that fits nowhere else", "💬"],
  ["Blockchain", "blockchain", "Chains, protocols and how they are built", "⛓️"],
  ["Ethereum", "ethereum", "Ethereum, its clients, rollups and research", "💎"],
  ["AI & ML", "ai-ml", "Models, agents and machine learning", "🤖"],
  ["Privacy", "privacy", "Zero-knowledge proofs and keeping things to yourself", "🔒"],
  ["DeFi", "defi", "Markets, lending and stablecoins on-chain", "🏦"],
  ["Governance", "governance", "How groups decide", "🏛️"],
  ["Technology", "technology", "Software, hardware and the people who make it", "💻"],
  ["Sports", "sports", "Playing and watching", "⚽"],
  ["Science", "science", "Results, methods and open questions", "🔬"],
  ["Music & Art", "music-art", "Making, hearing and seeing", "🎨"],
  ["Gaming", "gaming", "Games and those who play them", "🎮"],
].map(([name = "", slug = "", description = "", icon = ""], index) => ({
  id: `c0000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`,
  name,
  slug,
  description,
  icon,
  sort_order: index + 1,
}));
