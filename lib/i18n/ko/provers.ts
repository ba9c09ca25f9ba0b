/** Words of the choice who makes a proof, and of proofs that are made in the browser. */

import type { en } from "../en";
import type { Translation } from "../words";

export const prover = {
  legend: "증명을 만드는 곳",
  neverUs: "증명의 재료는 저희 서버에 오지 않아요.",
  browser: "이 브라우저",
  browserAbout:
    "증명의 재료가 이 기기 밖으로 나가지 않고 비용도 없어요. 이 기기에서는 보통 {time} 걸리고, 처음에는 최대 {size} 내려받아요.",
  server: "이 서버의 증명기",
  serverAbout: "일하는 동안 증명의 재료를 보지만 보관하지 않아요. 유료이고 몇 초면 끝나요.",
  own: "내 증명기",
  ownAbout: "직접 운영하는 증명기가 증명의 재료를 봐요. 가격도 그 증명기가 정해요.",
  address: "내 증명기의 주소",
  addressHint: "https 주소, 또는 이 컴퓨터의 http 주소. 이 페이지가 그 주소를 부를 수 있게 돼요.",
  addressWrong: "이 페이지가 부를 수 없는 주소예요. https://… 또는 이 컴퓨터의 http://localhost:…만 돼요.",
  free: "무료",
  freeNote: "결제도 지갑도 필요 없어요. 증명이 끝날 때까지 페이지를 열어 두세요.",
  ownPrice: "지갑을 열기 전에 내 증명기가 가격을 알려 줘요.",
  asking: "내 증명기에 가격을 묻는 중",
  noOffer: "내 증명기가 내놓은 결제 방법을 이 사이트가 알지 못해요. 토큰과 체인이 같아야 해요.",
  unreachable:
    "내 증명기가 이 페이지에 응답하지 않아요. 켜져 있는지, 이 사이트를 허용 출처(CORS)에 넣었는지 확인해 주세요.",
  switchServer: "이 서버의 증명기 쓰기",
  switchHere: "이 브라우저에서 무료로 만들기",
  reload: "페이지 다시 불러오기",
  unavailable: {
    development_srs:
      "이 사이트에서는 안 돼요. 설정 데이터가 개발용인데, 브라우저는 공개 세리머니의 데이터만 받아요. 증명기를 골라 주세요.",
    not_offered: "이 사이트에서는 이 증명에 쓸 수 없어요. 증명기를 골라 주세요.",
    insecure: "암호화되지 않은 연결에서는 안 돼요. https로 열거나 증명기를 골라 주세요.",
    no_wasm: "이 브라우저는 WebAssembly를 쓸 수 없어요. 증명기나 다른 브라우저를 골라 주세요.",
    no_worker: "이 브라우저에는 필요한 기능이 없어요. 증명기나 더 새로운 브라우저를 골라 주세요.",
    memory: "이 증명을 만들기에는 기기의 메모리가 부족해요. 증명기를 골라 주세요.",
  },
  about: {
    prepare: "브라우저가 프로그램, 회로, 공개 세리머니의 점들을 내려받아요.",
    witness: "브라우저가 모든 규칙에 맞는지 확인해요.",
    proving: "브라우저가 증명을 계산해요. 그동안 다른 페이지가 느려질 수 있어요.",
  },
  leaves: {
    prepare: "기기 밖으로 나가는 것: 없음. 내려받는 것은 누구에게나 같아요.",
    witness: "기기 밖으로 나가는 것: 없음.",
    proving: "기기 밖으로 나가는 것: 없음.",
    checking: "기기 밖으로 나가는 것: 증명. 재료는 나가지 않아요.",
  },
  at: {
    loading: "프로그램과 회로",
    points: "세리머니의 점, {size} 중 {percent, number, percent}",
    key: "회로의 키, 이 브라우저에서 한 번만",
    threads: "{n, plural, other {스레드 #개 사용}}",
  },
  cancelHere: "취소하면 작업이 바로 끝나고 비용이 없어요. 나중에 계속하면 처음부터 다시 해요.",
  problems: {
    development_srs:
      "이 사이트의 설정 데이터는 개발용이라 브라우저가 받지 않아요. 이 서버의 증명기를 써 주세요.",
    not_offered: "이 사이트에서는 이 증명을 브라우저에서 만들지 않아요. 이 서버의 증명기를 써 주세요.",
    insecure:
      "브라우저는 암호화된 페이지에서만 증명을 만들어요. https로 열거나 이 서버의 증명기를 써 주세요.",
    no_wasm: "이 브라우저는 WebAssembly를 쓸 수 없어요. 이 서버의 증명기를 써 주세요.",
    no_worker: "브라우저가 작업을 시작하지 못했어요. 이 서버의 증명기나 다른 브라우저를 써 주세요.",
    memory: "기기의 메모리가 부족했어요. 다른 페이지를 닫고 다시 시도하거나 이 서버의 증명기를 써 주세요.",
    points_unavailable:
      "세리머니의 점을 내려받지 못했어요. 연결을 확인하고 다시 시도하거나 이 서버의 증명기를 써 주세요.",
    points_wrong:
      "세리머니의 점이 아닌 것이 와서 버렸어요. 이 서버의 증명기를 쓰고, 사이트 운영자에게 알려 주세요.",
    circuit_unavailable: "회로를 내려받지 못했어요. 페이지를 다시 불러와 시도해 주세요.",
    circuit_changed:
      "이 페이지에 맞지 않는 회로가 와서 아무것도 만들지 않았어요. 페이지를 다시 불러오고, 그래도 같으면 사이트 운영자에게 알려 주세요.",
    key_mismatch:
      "회로와 점에서 나온 키가 검증 컨트랙트의 키와 달라서, 만들어도 거절될 거예요. 이 서버의 증명기를 쓰고, 사이트 운영자에게 알려 주세요.",
    unprovable: "이것으로는 증명을 만들 수 없어요. 회로의 조건에 맞지 않아요.",
    result_mismatch: "증명의 내용이 요청한 것과 달라서 버렸어요. 다시 시작해 주세요.",
    crashed:
      "작업이 저절로 끝났어요. 메모리가 부족할 때 자주 그래요. 다시 시도하거나 이 서버의 증명기를 써 주세요.",
  },
  keysUnavailable: "지금은 제공자의 공개 키를 가져올 수 없어요. 보낸 것은 없어요.",
} as const satisfies Translation<typeof en.prover>;
