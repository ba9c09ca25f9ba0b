import type { pushed as en } from "../en/pushed";
import type { Translation } from "../words";

/** 푸시 메시지. 화면을 보는 누구나 읽을 수 있으므로 이름도 제목도 없다. */
export const pushed = {
  reply: "누군가 답했어요.",
  mention: "누군가 회원님을 언급했어요.",
  chat_mention: "채팅에서 누군가 회원님을 언급했어요.",
  join_request: "내 토픽에 가입 요청이 왔어요.",
  join_approved: "가입 요청이 승인됐어요.",
  join_rejected: "가입 요청에 답이 왔어요.",
  role_changed: "토픽에서의 역할이 바뀌었어요.",
  ownership_received: "이제 한 토픽의 소유자예요.",
  post_recorded: "내 글이 기록됐어요.",
  report_opened: "내 토픽에 신고가 들어왔어요.",
  post_hidden: "토픽 운영진이 내 글에 대해 결정했어요.",
  post_shown: "토픽 운영진이 내 글에 대해 결정했어요.",
  post_removed: "토픽 운영진이 내 글에 대해 결정했어요.",
  comment_hidden: "토픽 운영진이 내 댓글에 대해 결정했어요.",
  comment_shown: "토픽 운영진이 내 댓글에 대해 결정했어요.",
  comment_removed: "토픽 운영진이 내 댓글에 대해 결정했어요.",
  member_removed: "토픽 멤버 자격이 바뀌었어요.",
  member_muted: "토픽 멤버 자격이 바뀌었어요.",
  member_unmuted: "토픽 멤버 자격이 바뀌었어요.",
  member_banned: "토픽 멤버 자격이 바뀌었어요.",
  member_unbanned: "토픽 멤버 자격이 바뀌었어요.",
} satisfies Translation<typeof en>;
