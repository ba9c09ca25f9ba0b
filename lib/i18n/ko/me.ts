/** Words of a member's own pages: lists, picture, badges, and the welcome after the first sign-in. */

import type { en } from "../en";
import type { Translation } from "../words";

export const me = {
  tabs: "내 목록",
  lists: {
    posts: "글",
    bookmarks: "북마크",
    likes: "추천한 글",
    records: "기록",
  },
  titles: {
    posts: "내 글",
    bookmarks: "북마크",
    likes: "추천한 글",
  },
  empty: {
    posts: "아직 쓴 글이 없어요",
    bookmarks: "아직 북마크가 없어요",
    likes: "아직 추천한 글이 없어요",
  },
  teach: {
    posts: "글은 토픽에 올리는 제목과 내용이에요. 올린 글이 모두 여기에 모여요.",
    bookmarks: "글의 리본을 누르면 여기에 모여요. 내 북마크는 나만 볼 수 있어요.",
    likes: "추천한 글이 여기에 모여요. 다른 사람은 내 표가 아니라 표를 모두 더한 점수만 봐요.",
  },
  write: "글쓰기",
  readFeed: "피드 읽기",
  asideMine: "내 토픽",
  asideActive: "활발한 토픽",
  links: "내 것",
  linkPosts: "내가 쓴 글",
  linkBookmarks: "북마크한 글",
  linkLikes: "추천한 글",
  linkRecords: "온체인 기록",
  linkSettings: "설정",
  linkSettingsHint: "테마, 언어, 로그인한 기기, 알림, 계정",
  sealUntil: "{date}까지 유효, {days, plural, =0 {하루도 안 남음} other {#일 남음}}",
  sealSoon: "곧 만료",
  sealChecked: "확인",
  noSealTitle: "아직 인장이 없어요",
  noSeal:
    "인장은 내가 어디에 속하는지 보여 줘요. 회사일 수도, 국가일 수도, 보증인이 확인한 사람들일 수도 있어요. 증명으로 로그인하거나 관문이 있는 토픽에 가입하면 받아요.",
  noSealAction: "관문이 있는 토픽 찾기",
  seenTitle: "다른 사람에게 보이는 것",
  seenName: "글을 쓴 곳마다 닉네임과 사진이 보여요.",
  seenDomains: "닉네임 옆에 보여도 된다고 허락한 도메인이 보여요.",
  seenSeal: "관문이 있는 토픽에서는, 다른 멤버들처럼 나도 관문을 지났다는 것이 보여요.",
  unseenTitle: "아무에게도 보이지 않는 것",
  unseen: "이메일 주소, 이름, 지갑, 그리고 다른 곳의 어떤 계정과 같은 사람인지.",
} as const satisfies Translation<typeof en.me>;

export const picture = {
  change: "사진 바꾸기",
  add: "사진 넣기",
  remove: "사진 지우기",
  removed: "사진을 지웠어요.",
  saved: "이제 이 사진을 써요.",
  hint: "이 기기에서 사진을 새로 그려서 올려요. 찍은 장소와 시간은 기기 밖으로 나가지 않아요.",
  cropTitle: "보일 부분 고르기",
  area: "사진에서 보일 부분. 방향키로 움직이고, Shift를 함께 누르면 조금씩 움직여요.",
  zoom: "확대",
  use: "이 부분 쓰기",
  uploading: "올리는 중",
  again: "다시 올리기",
  notAPicture: "브라우저가 이 파일을 사진으로 읽지 못해요. PNG, JPEG, GIF, WebP 가운데 골라 주세요.",
  yours: "내 사진",
} as const satisfies Translation<typeof en.picture>;

export const welcome = {
  title: "환영해요",
  greeting: "환영해요, {name} 님",
  lead: "들어오셨어요. 알아 두면 좋은 세 가지만 보고 바로 시작하세요.",
  skip: "건너뛰기",
  sealTitle: "인장이란",
  seal: "인장은 나에 대한 한 가지를 보증하고 나머지는 숨겨요. 누르면 다른 사람에게 무엇이 보이고, 무엇이 숨겨지고, 어떻게 확인되었는지 볼 수 있어요.",
  sealKept: "30일 동안 토픽의 문을 열어 줘요. 그 뒤에는 다시 증명하면 돼요.",
  noSeal:
    "인장은 멤버에 대한 한 가지를 보증하고 나머지는 숨겨요. 회사의 이메일 주소를 쓴다거나 어느 국가에 산다는 것 같은 사실이에요. 첫 증명을 하면 받아요.",
  topicsTitle: "갈 수 있는 곳",
  opened: "내 인장으로 열리는 토픽",
  open: "모두에게 열린 토픽",
  noTopics: "아직 토픽이 없어요. 첫 토픽을 만들어 보세요.",
  startTopic: "토픽 만들기",
  allTopics: "모든 토픽",
  goOn: "첫 페이지로 가기",
} as const satisfies Translation<typeof en.welcome>;
