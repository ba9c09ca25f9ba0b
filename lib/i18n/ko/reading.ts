/** Words of what is done with a post by those who read it. */

import type * as en from "../en/reading";
import type { Translation } from "../words";

export const reaction = {
  list: "반응",
  add: "반응 남기기",
  chip: "{name}, {n, plural, other {{n, number}명}}",
  names: {
    thumbsUp: "좋아요",
    heart: "하트",
    fire: "불꽃",
    laughing: "웃음",
    party: "축하",
    surprised: "놀람",
  },
} as const satisfies Translation<typeof en.reaction>;

export const poll = {
  label: "투표",
  votes: "{n, plural, =0 {아직 투표가 없어요} other {{n, number}표}}",
  option: "{text}: {percent}, {n, plural, other {{n, number}표}}",
  own: "내 선택",
  one: "하나만 선택",
  several: "여러 개 선택 가능",
  closes: "{when} 마감",
  closed: "마감됨",
  takeBack: "내 투표 취소하기",
  takeBackAll: "내 투표 모두 취소하기",
  resting: "지금은 투표할 수 없어요.",
  muted: "이 토픽에서 쓰기가 제한되어 투표할 수 없어요.",
  signIn: "로그인하고 투표하기",
  join: "가입하고 투표하기",
} as const satisfies Translation<typeof en.poll>;

export const gallery = {
  open: "{name} 크게 보기",
  image: "사진 {n, number}",
  more: "{n, number}장 더",
  label: "사진",
  at: "{total, number}장 중 {n, number}번째",
  previous: "이전 사진",
  next: "다음 사진",
  original: "원본 열기",
  gone: "이 사진을 볼 수 없어요.",
} as const satisfies Translation<typeof en.gallery>;

export const comment = {
  copyLink: "링크 복사하기",
  edit: "수정하기",
  editLabel: "내 댓글 수정",
  sending: "보내는 중",
  saved: "댓글을 수정했어요.",
  inReplyTo: "{name} 님에게 쓴 답글",
  inReplyToNobody: "삭제된 댓글에 쓴 답글",
  inReplyElsewhere: "앞쪽 댓글에 쓴 답글",
  showReplies: "{n, plural, other {답글 {n, number}개 보기}}",
  hideReplies: "{n, plural, other {답글 {n, number}개 접기}}",
  repliesTo: "{name} 님의 댓글: {action}",
  missing: "링크가 가리키는 댓글이 이 글에 없어요. 대화를 처음부터 보여 드려요.",
  middle: "긴 대화의 중간 부분이에요.",
  fromStart: "처음부터 읽기",
} as const satisfies Translation<typeof en.comment>;

export const own = {
  edit: "수정하기",
  editRecorded: "온체인에 기록되어 바꿀 수 없어요",
  deleted: "글을 삭제했어요.",
} as const satisfies Translation<typeof en.own>;

export const share = {
  title: "링크 복사",
  text: "브라우저가 복사를 허용하지 않았어요. 링크를 선택해서 직접 복사해 주세요.",
  link: "링크",
} as const satisfies Translation<typeof en.share>;
