/** Words of searching. */

import type { en } from "../en";
import type { Translation } from "../words";

export const search = {
  title: "검색",
  titleOf: "“{q}”",
  label: "토픽, 글, 댓글 검색",
  placeholder: "전체 검색",
  go: "검색",
  everything: "전체에서 검색하기",
  clear: "검색어 지우기",
  kinds: "검색할 것",
  all: "전체",
  topics: "토픽",
  posts: "글",
  comments: "댓글",
  tags: "태그",
  found: "“{q}” 검색 결과 {n, plural, =0 {없음} other {#개}}",
  foundMore: "“{q}” 검색 결과",
  moreTopics: "이 검색어의 토픽 모두 보기",
  morePosts: "이 검색어의 글 모두 보기",
  moreComments: "이 검색어의 댓글 모두 보기",
  commentOn: "댓글이 달린 글:",
  startTitle: "지난 이야기 찾기",
  start: "한두 단어를 입력해 보세요. 공개된 토픽과 내가 멤버인 토픽에서, 읽을 수 있는 것을 찾아요.",
  popular: "쓰이는 태그",
  nothingTitle: "찾은 것이 없어요",
  nothing:
    "단어를 줄이거나 마지막 단어의 앞부분만 입력해 보세요. 가입하지 않은 비공개 토픽의 내용은 검색하지 않아요.",
  tagTitle: "#{tag} 태그의 글",
  tagEmptyTitle: "이 태그가 달린 글이 없어요",
  tagEmpty: "적어도 내가 읽을 수 있는 글 가운데에는 없어요.",
  offline: "오프라인이에요. 아래는 이전에 본 내용이에요.",
  slow: "검색하는 중",
  shortcut: "/ 키를 눌러 검색하기",
} as const satisfies Translation<typeof en.search>;
