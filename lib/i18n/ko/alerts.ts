/** Words of the alerts: what happened to things of mine, and where I am told. */

import type { en } from "../en";
import type { Translation } from "../words";

export const alerts = {
  title: "알림",
  someone: "다른 멤버",
  titled: "“{title}”",
  aPost: "어떤 글",
  aTopic: "어떤 토픽",
  yourPost: "내 글",
  yourPostTitled: "내 글 “{title}”",
  sentences: {
    reply:
      "{to, select, post {{who} 님이 {yourPost}에 댓글을 남겼어요} other {{who} 님이 {post}에 쓴 내 댓글에 답했어요}}",
    mention:
      "{where, select, comment {{who} 님이 {post}의 댓글에서 나를 언급했어요} other {{who} 님이 {post}에서 나를 언급했어요}}",
    chat_mention: "{who} 님이 {topic} 채팅에서 나를 언급했어요",
    join_request: "{who} 님이 {topic}에 가입하고 싶어 해요",
    join_approved: "이제 {topic}의 멤버예요",
    join_rejected: "{topic} 가입 요청이 받아들여지지 않았어요",
    role_changed:
      "{role, select, owner {{topic}의 소유자가 되었어요} admin {{topic}의 관리자가 되었어요} member {{topic}의 일반 멤버가 되었어요} other {{topic}에서 역할이 바뀌었어요}}",
    ownership_received: "{who} 님이 {topic}의 소유권을 넘겨주었어요. 이제 내가 소유자예요",
    post_recorded: "{who} 님이 {yourPost}의 온체인 기록을 남겼어요",
    report_opened:
      "{where, select, comment {{post}에 달린 댓글이 신고되었어요} other {{post}에 신고가 들어왔어요}}",
    post_hidden: "{topic} 운영진이 글을 숨겼어요: {yourPost}",
    post_shown: "{topic} 운영진이 글을 다시 공개했어요: {yourPost}",
    post_removed: "{topic} 운영진이 글을 삭제했어요: {yourPost}",
    comment_hidden: "{topic} 운영진이 {post}에 쓴 내 댓글을 숨겼어요",
    comment_shown: "{topic} 운영진이 {post}에 쓴 내 댓글을 다시 공개했어요",
    comment_removed: "{topic} 운영진이 {post}에 쓴 내 댓글을 삭제했어요",
    member_removed: "이제 {topic}의 멤버가 아니에요",
    member_muted: "당분간 {topic}에 쓸 수 없어요",
    member_unmuted: "{topic}에 다시 쓸 수 있어요",
    member_banned: "{topic}에서 차단되었어요",
    member_unbanned: "{topic}에 다시 가입할 수 있어요",
  },
  unread: "새 알림",
  markAll: "모두 읽음으로 표시",
  show: "새 알림 {n, plural, other {#개}} 보기",
  more: "더 보기",
  emptyTitle: "아직 알림이 없어요",
  empty:
    "누군가 내 글에 답하거나, @닉네임으로 나를 언급하거나, 내 토픽에 가입을 요청하거나, 내 글을 온체인에 기록하면 여기에서 알려 드려요.",
  guestTitle: "알림은 로그인한 분에게 보여요",
  guest: "로그인하면 누군가 답하거나 나를 언급할 때 여기에서 알려 드려요.",
  list: "내 알림",
  reason: "이유: {reason}",
  until: "{when}까지예요.",
} as const satisfies Translation<typeof en.alerts>;

export const push = {
  title: "이 기기에서 받기",
  lead: "Parley를 닫아 두어도 이 기기로 알려 드릴 수 있어요.",
  lockScreen:
    "잠금 화면에는 “누군가 답했어요.”처럼 어떤 일인지만 보여요. 이름도 제목도 글 내용도 나오지 않아요. 오는 동안에는 이 브라우저만 열 수 있게 암호화돼요.",
  turnOn: "이 기기로 알림 받기",
  turnOff: "이 기기로 그만 받기",
  on: "이 기기로 알림을 받고 있어요.",
  off: "이 기기로 알림을 받지 않아요.",
  blocked: "브라우저가 이 사이트의 알림을 막고 있어요. 브라우저의 사이트 설정에서 허용한 뒤 다시 와 주세요.",
  refused: "브라우저가 허용하지 않았어요. 바뀐 것은 없어요.",
  unsupported: "이 브라우저는 사이트를 닫은 동안 알림을 받을 수 없어요.",
  install:
    "iPhone이나 iPad에서는 먼저 Parley를 홈 화면에 추가하세요. 공유를 누르고 “홈 화면에 추가”를 고르면 돼요. 그다음 홈 화면에서 열어 이 페이지로 돌아오세요.",
  unavailable: "이 사이트는 기기로 알림을 보내지 않아요.",
  failed: "브라우저의 푸시 서비스가 응답하지 않았어요. 바뀐 것은 없으니 다시 시도해 주세요.",
  devices: "알림을 받는 기기",
  thisDevice: "이 기기",
  since: "켠 때",
  remove: "{label} 알림 끄기",
  removeShort: "끄기",
  turnedOn: "이제 이 기기로 알려 드려요.",
  turnedOff: "이제 이 기기로 알리지 않아요.",
} as const satisfies Translation<typeof en.push>;
