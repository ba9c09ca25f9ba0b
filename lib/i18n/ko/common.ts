/** Words used all over, and those of the frame, the profile, the docs and the error pages. */

import type { en } from "../en";
import type { Translation } from "../words";

export const common = {
  name: "Parley",
  tagline: "드러내지 않고 증명하는 사람들의 커뮤니티.",
  skip: "본문으로 건너뛰기",
  close: "닫기",
  dismiss: "닫기",
  messages: "안내",
  copied: "복사했어요",
  copy: "{what} 복사",
  back: "뒤로",
  retry: "다시 시도",
  cancel: "취소",
  save: "저장하기",
  loading: "불러오는 중",
  older: "더 보기",
  firstPage: "처음으로",
  withdrawn: "탈퇴한 멤버",
  untitled: "(제목 없음)",
  seals: "{domains} 증명함",
  members: "멤버 {n, plural, other {{n, number, ::compact-short .#}명}}",
  posts: "글 {n, plural, other {{n, number, ::compact-short .#}개}}",
  comments: "댓글 {n, plural, other {{n, number, ::compact-short .#}개}}",
  needsScript: "이 단계는 로그인 제공자, 지갑과 통신하므로 자바스크립트가 필요해요.",
} as const satisfies Translation<typeof en.common>;

export const nav = {
  main: "주 메뉴",
  phone: "주 메뉴, 아래쪽",
  home: "홈",
  explore: "둘러보기",
  write: "글쓰기",
  alerts: "알림",
  bookmarks: "북마크",
  me: "나",
  signIn: "로그인",
  docs: "API",
  myTopics: "내 토픽",
  noTopics: "가입한 토픽이 여기에 보여요.",
  newTopic: "새 토픽",
  search: "검색",
  searchPlaceholder: "검색 (/ 키)",
  profile: "프로필",
  side: "이 페이지 정보",
} as const satisfies Translation<typeof en.nav>;

export const bell = {
  words: "새 알림 {n, plural, other {#개}}",
} as const satisfies Translation<typeof en.bell>;

export const problems = {
  notFoundTitle: "여기에는 아무것도 없어요",
  notFound: "페이지가 옮겨졌거나, 가입하지 않은 토픽의 페이지일 수 있어요.",
  goHome: "첫 페이지로 가기",
  explore: "토픽 둘러보기",
  errorTitle: "페이지를 불러오지 못했어요",
  error: "저희 쪽에 문제가 생겼어요. 쓰던 내용은 사라지지 않았어요. 잠시 뒤 다시 시도해 주세요.",
  reference: "참조 번호 {id}",
  secretTitle: "비밀 토픽이에요",
  secret: "초대받은 사람만 볼 수 있어요. 코드가 있다면 초대 링크를 열어 주세요.",
  memberOnlyTitle: "멤버 전용",
  memberOnly: "여기에 쓴 글은 토픽 멤버만 읽을 수 있어요.",
  network: "네트워크가 응답하지 않았어요. 사라진 것은 없으니 다시 시도해 주세요.",
} as const satisfies Translation<typeof en.problems>;

export const profile = {
  title: "프로필",
  guestTitle: "로그인하지 않았어요",
  guest: "증명으로 로그인하면 인장을 받아요. 사람들은 내가 자격이 있다는 것만 알고, 누구인지는 알 수 없어요.",
  nickname: "닉네임",
  nicknameHint: "글자, 숫자, 밑줄(_) {min, number}~{max, number}자. 다른 사람에게 보이는 유일한 이름이에요.",
  chooseTitle: "닉네임 정하기",
  choose: "다른 사람에게 보이는 유일한 이름이에요. 나중에 바꿀 수 있어요.",
  keep: "이 닉네임 쓰기",
  change: "닉네임 바꾸기",
  saved: "이제 {name} 님이에요.",
  rule: "글자, 숫자, 밑줄(_)로 {min, number}~{max, number}자를 써 주세요.",
  mySeal: "내 인장",
  sealUntil: "저장된 증명은 30일 동안 유지되고, 그동안 다시 결제하지 않고 다른 토픽에 가입할 수 있어요.",
  verified: "증명 확인됨",
  signOut: "로그아웃",
  writeTitle: "어디에 쓸까요?",
  writeEmpty: "글은 멤버인 토픽에 쓸 수 있어요. 토픽에 가입하거나 직접 만들어 보세요.",
} as const satisfies Translation<typeof en.profile>;

export const docs = {
  title: "API",
  intro:
    "이 페이지들에서 하는 모든 일은 에이전트에게도 열린 같은 HTTP API로 이루어져요. 본문은 JSON, 시각은 ISO 8601이고, 모든 응답에 x-request-id가 있어요.",
  json: "OpenAPI 문서",
  auth: {
    none: "세션 없음",
    optional: "세션 선택",
    required: "세션 필요",
  },
  limit: "{seconds, number}초당 {points, number}",
  path: "경로",
  query: "쿼리",
  body: "본문",
  response: "응답 {status}",
  errors: "오류",
  errorsTitle: "오류 코드",
  errorsIntro:
    "오류 본문은 '{' error, code, requestId '}' 형태예요. 코드는 바뀌지 않고, 문장은 사람이 읽기 위한 거예요.",
  operations: "작업",
  optional: "선택",
  tags: {
    auth: "로그인",
    profile: "프로필",
    topics: "토픽",
    posts: "글과 댓글",
    chat: "채팅",
    members: "멤버",
    moderation: "운영",
    notifications: "알림",
    records: "온체인 기록",
    search: "검색",
    uploads: "업로드",
    service: "서비스",
  },
} as const satisfies Translation<typeof en.docs>;
