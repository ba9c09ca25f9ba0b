/** Words of the offline copy, of installing, and of what waits to be sent. */

import type { en } from "../en";
import type { Translation } from "../words";

export const offline = {
  bar: "연결되지 않았어요.",
  slow: "네트워크가 응답하지 않았어요.",
  savedAt: "저장",
  reload: "다시 불러오기",
  nothingChanged: "오프라인이에요. 바뀐 것은 없어요.",
  kept: "오프라인이에요. 쓴 글은 이 기기에 보관했다가 네트워크가 돌아오면 보내요.",
  updated: "Parley가 업데이트되었어요. 쓰던 내용을 복사해 둔 다음 페이지를 다시 불러와 주세요.",
  pull: "당겨서 새로 고침",
  release: "놓으면 새로 고쳐요",
  title: "네트워크 없음",
  page: "이 페이지는 기기에 없고, 지금은 가져올 수 없어요. 연결되면 저절로 열려요.",
  pageOnline: "오프라인일 때 읽을 수 있는 것과, 보내려고 기다리는 것이에요.",
  again: "다시 시도",
  saved: "이 기기에 저장된 것",
  nothingSaved: "아직 없어요. 열어 본 피드, 토픽, 글을 일주일 동안 여기에 보관해요.",
  somethingNew: "새로운 내용이 있어요.",
  installTitle: "홈 화면에 추가",
  installLead: "Parley가 앱처럼 열리고, 마지막에 읽은 것은 네트워크가 없어도 볼 수 있어요.",
  install: "Parley 설치하기",
  installApple: "공유 메뉴를 열고 “홈 화면에 추가”를 고르세요.",
  writePost: "글쓰기",
} as const satisfies Translation<typeof en.offline>;

export const outbox = {
  title: "보내기를 기다리는 것",
  waiting: "네트워크를 기다려요. 나에게만 보여요.",
  refused: "보내지 못했어요.",
  unsure:
    "이미 보내졌을 수 있어요. 하루도 더 전에 응답을 받지 못했거든요. 다시 보내기 전에 올라와 있는지 확인해 보세요.",
  sendNow: "지금 보내기",
  discard: "지우기",
  discardSure: "이 글을 완전히 지우기",
  stillWaiting: "아직 네트워크가 없어요. 쓴 글은 보관하고 있어요.",
  notTheirs: "로그아웃되어 있어요. 전과 같이 로그인하면 보내요.",
  toTopic: "해당 토픽",
  toPost: "해당 글",
} as const satisfies Translation<typeof en.outbox>;
