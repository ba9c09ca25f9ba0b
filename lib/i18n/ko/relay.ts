/** Words of proving on a phone for another device. */

import type { en } from "../en";
import type { Translation } from "../words";

export const relay = {
  use: "휴대전화 쓰기",
  useHint: "계정이나 지갑이 다른 기기에 있다면, 그 기기에서 증명을 만들고 이 기기에서 로그인돼요.",
  joinHint: "계정이나 지갑이 다른 기기에 있다면, 그 기기에서 증명을 만들고 이 기기에서 가입해요.",
  title: "휴대전화로 계속하기",
  scan: "휴대전화 카메라로 비추거나, 휴대전화에서 주소를 여세요.",
  qr: "아래 주소의 QR 코드",
  address: "휴대전화에서 열 주소",
  code: "코드",
  sameCode: "휴대전화에 이 코드를 입력하세요.",
  asking: "요청을 만드는 중이에요.",
  waiting: "휴대전화를 기다리는 중이에요.",
  answered: "휴대전화가 응답했어요.",
  left: "{minutes, plural, =0 {1분도 남지 않았어요.} =1 {1분도 남지 않았어요.} other {#분 남았어요.}}",
  ranOut: "요청의 시간이 지났어요.",
  ranOutText: "요청은 5분 동안 유효해요. 쓰인 것은 없어요.",
  failed: "휴대전화의 증명이 받아들여지지 않았어요.",
  again: "새 요청 만들기",
  close: "이 기기에서 계속하기",
  phoneTitle: "다른 기기를 위해 증명하기",
  gone: "그런 요청이 없어요",
  goneText: "요청은 5분 동안 유효해요. 다른 기기에서 새로 만들어 주세요.",
  asksSignIn: "{client}에서 내 계정으로 로그인하려고 해요.",
  asksProof: "{who} 님이 {client}에서 증명을 요청해요.",
  asked: "요청한 때",
  compare: "코드를 입력하세요",
  compareText:
    "다른 화면에 숫자 여섯 개가 보이고, 그 화면이 바로 내 앞에 있어야 해요. 누군가 이 페이지로 보냈거나 코드를 알려 줬다면 이 페이지를 닫으세요. 계속하면 요청한 사람이 내 계정으로 로그인돼요.",
  compareProof:
    "다른 화면에 숫자 여섯 개가 보이고, 그 화면이 바로 내 앞에 있어야 해요. 누군가 코드를 알려 줬다면 이 페이지를 닫으세요.",
  same: "계속하기",
  wrongCode: "다른 화면의 코드와 달라요.",
  found: "휴대전화에서 {nickname} 계정으로 로그인했어요.",
  foundText: "내 계정이 아니면 닫으세요. 다른 사람이 자기 증명으로 응답한 거예요.",
  goOnAs: "{nickname} 계정으로 계속하기",
  done: "이미 응답한 요청이에요",
  doneText: "다른 기기에서 계속하세요.",
  refused: "증명이 받아들여지지 않아 요청이 끝났어요. 다른 기기에서 새로 만들어 주세요.",
  sealed: "증명을 다른 기기로 보냈어요. 그 기기에서 계속하세요.",
  ending: "요청의 시간이 거의 다 됐어요. 다른 기기에서 새로 만들어 주세요.",
  impossible: "이 사이트에서는 이 증명을 만들 수 없어요.",
} as const satisfies Translation<typeof en.relay>;
