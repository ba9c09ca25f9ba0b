/** Words of seals, gates, signing in, proof runs and wallets. */

import type { en } from "../en";
import type { Translation } from "../words";

export const seal = {
  open: "인장: {statement}. 뜻 보기",
  domain: "@{domain}",
  anyDomain: "회사 이메일",
  countries: "{list}에 거주",
  notCountries: "{list}에 살지 않음",
  person: "본인 확인됨",
  vouchedBy: "보증인: {voucher}",
  until: "유효 기한",
  whatOthersSee: "다른 사람에게 보이는 것",
  whatStaysHidden: "숨겨지는 것",
  howChecked: "확인한 방법",
  checkedBy: "{chain}의 컨트랙트가 증명을 확인했어요.",
  verifier: "검증 컨트랙트",
  transaction: "트랜잭션",
  when: "확인한 때",
  details: "자세히",
  circuit: "회로",
  technicalWallet:
    "영지식 증명(BN254 위의 UltraHonk)이에요. 보증 트랜잭션에 있는 보증인의 서명과 지갑의 서명을 증명 안에서 확인해요. 증명 밖으로 나오는 식별자는 널리파이어 하나뿐이고, 저희는 키를 넣어 만든 해시만 보관해요.",
  technical:
    "영지식 증명(BN254 위의 UltraHonk)이에요. 로그인 제공자의 서명, 확인된 주소와 그 도메인을 증명 안에서 확인해요. 증명 밖으로 나오는 식별자는 널리파이어 하나뿐이고, 저희는 키를 넣어 만든 해시만 보관해요.",
  development: "개발용 증명: 누구나 위조할 수 있어요.",
  developmentLong:
    "이 사이트는 개발용 SRS로 돌아가요. 여기의 증명은 작동 방식을 보여 줄 뿐 아무것도 증명하지 않으며, 누구나 위조할 수 있어요.",
  sees: {
    countries: "{list}에 산다는 것",
    notCountries: "{list}에 살지 않는다는 것",
    gate: "관문 안의 멤버에게, 이 관문을 지났다는 것만",
    domain: "닉네임 옆의 @{domain}. 설정에서 보이기로 했어요",
    nickname: "닉네임. 이메일 주소와 이어 주는 것은 없어요",
    nicknameWallet: "닉네임. 지갑과 이어 주는 것은 없어요",
  },
  hides: {
    address: "이메일 주소",
    name: "이름과 로그인 제공자의 계정",
    token: "신원 토큰 자체",
  },
  hidesWallet: {
    address: "지갑 주소",
    name: "이름과 신분증",
    attestation: "보증인이 지갑에 대해 적은 것",
  },
} as const satisfies Translation<typeof en.seal>;

export const gate = {
  none: "증명할 것이 없어요.",
  domain: "멤버는 {domain} 이메일 주소가 있다는 것을 증명해요.",
  anyWorkspace: "멤버는 회사 이메일 주소가 있다는 것을 증명해요.",
  country: "멤버는 {list}에 산다는 것을 증명해요.",
  notCountry: "멤버는 {list}에 살지 않는다는 것을 증명해요.",
  kyc: "멤버는 보증인의 본인 확인을 받았다는 것을 증명해요.",
  or: "또는",
  hidden: "이메일 주소는 숨겨져요.",
  hiddenPerson: "누구인지는 숨겨져요.",
  hiddenCountry: "어느 국가인지는 숨겨져요.",
  hiddenWhere: "어디에 사는지는 숨겨져요.",
  satisfied: "이미 증명했어요.",
} as const satisfies Translation<typeof en.gate>;

export const signIn = {
  title: "증명으로 로그인하기",
  lead: "쓰고 있는 이메일 제공자에 로그인해요. 제공자가 서명한 내용으로 증명을 만들고, 저희에게는 증명만 와요.",
  provider: "로그인 제공자",
  rules: {
    provider_a: "규칙 A",
    provider_b: "규칙 B",
  },
  developmentProvider: "개발용: 어떤 주소로든 로그인돼요.",
  learns: "저희가 알게 되는 것",
  learnsCode: "이 커뮤니티에서만 쓰이는 나만의 코드",
  learnsSigner: "어느 제공자가 언제 서명했는지",
  domainOf: "이메일 주소의 도메인",
  thatDomain: "이메일 주소가 {domain} 도메인이라는 것",
  hidden: "숨겨지는 것",
  hiddenList: {
    address: "이메일 주소",
    name: "이름과 로그인 제공자의 계정",
    token: "그 밖에 어디에 로그인하는지",
  },
  recognisable:
    "코드는 주소로 만들어요. 그래서 증명을 본 사람이나 이 사이트의 운영자가 내 주소를 알거나 짐작하면 둘을 연결할 수 있어요. 저희는 키로 만든 해시만 보관해요.",
  price: "비용",
  priceNote: "지갑을 열기 전에 최종 가격을 다시 보여 드려요.",
  network: "결제할 네트워크",
  wallet: "결제할 지갑",
  paidFrom: "{wallet}에서 결제",
  continueWith: "{provider} 계정으로 계속하기",
  opening: "제공자 페이지를 여는 중",
  whyPay:
    "증명을 만들려면 실제로 많은 계산이 필요해요. 결제는 한 번이면 돼요. 일주일에 한 번 이상 방문하면 최대 30일 동안 로그인 상태가 유지되고, 그 뒤에는 새 증명이 필요해요.",
  noIssuers: "이 사이트에는 설정된 로그인 제공자가 없어요.",
  done: "로그인했어요",
  devTitle: "개발용",
  devLogin: "증명 없이 로그인하기",
  devHint: "DEV_LOGIN이 켜져 있어요. 증명도 결제도 필요 없고, 이 사이트에서만 돼요.",
  callbackTitle: "제공자에서 돌아왔어요",
  callbackWorking: "응답을 읽는 중",
  deniedTitle: "제공자에서 로그인하지 못했어요",
  denied: "로그인이 취소되었거나 거절되었다는 응답을 받았어요. 결제한 것은 없어요.",
  lostTitle: "여기에서 시작한 로그인이 아니에요",
  lost: "이 브라우저 탭에서 시작한 로그인의 응답이 아니어서 버렸어요. 결제한 것은 없어요. 다시 시작해 주세요.",
  startAgain: "다시 시작하기",
  already: "{name} 님으로 로그인되어 있어요.",
  again:
    "{name} 님으로 로그인할 때 쓴 신원으로 다시 증명하면 하던 곳으로 돌아가요. 다른 신원은 비용을 냈어도 받지 않아요.",
} as const satisfies Translation<typeof en.signIn>;

export const run = {
  title: "증명",
  stagesLabel: "증명의 단계",
  stages: {
    identity: "신원",
    sign: "서명",
    price: "가격",
    payment: "결제",
    prepare: "준비",
    witness: "증거값",
    proving: "증명 생성",
    checking: "확인",
    sealed: "인장",
  },
  about: {
    identity: "제공자가 이번 한 번을 위해 누구인지 서명했어요.",
    price: "증명기가 가격을 알려 줘요.",
    payment: "지갑이 승인에 서명해요. 가스는 받는 쪽이 내요.",
    witness: "증명기가 토큰이 모든 규칙에 맞는지 확인해요.",
    proving: "증명을 계산해요.",
    checking: "검증 컨트랙트가 증명을 확인해요.",
    sealed: "인장을 받았어요.",
  },
  leaves: {
    identity: "기기 밖으로 나가는 것: 아직 없음.",
    price: "기기 밖으로 나가는 것: 증명이 얼마인지 묻는 질문.",
    payment: "기기 밖으로 나가는 것: 지갑의 서명과 토큰. 증명기에만 보내요.",
    witness: "기기 밖으로 나가는 것: 더 없음.",
    proving: "기기 밖으로 나가는 것: 더 없음.",
    checking: "기기 밖으로 나가는 것: 증명. 이메일 주소는 들어 있지 않아요.",
    sealed: "신원 토큰을 이 기기에서 지웠어요.",
  },
  elapsed: "{elapsed}, 보통 {expected}",
  waiting: "대기 중",
  position: "{n, plural, =0 {다음 차례예요} other {앞에 증명 #개가 있어요}}",
  expected: "{place}, 약 {time}",
  doneIn: "{time} 만에 완료",
  now: "지금 단계: {stage}",
  finished: "{stage} 완료",
  stopped: "{stage} 단계에서 멈춤",
  pay: "{amount} 결제하기",
  payment: "결제",
  transaction: "결제 트랜잭션",
  cancel: "취소",
  cancelFree: "지금 취소하면 비용이 없어요.",
  cancelPaid: "결제한 금액({amount})은 돌려받을 수 없어요. 증명은 몇 초면 끝나요.",
  cancelTitle: "증명을 취소할까요?",
  cancelConfirm: "증명 취소하기",
  keepGoing: "계속하기",
  stale: "제공자가 서명한 지 5분이 넘었어요. 결제한 것은 없어요. 새 서명을 받으려면 다시 시작해 주세요.",
  wrongDomain:
    "로그인한 주소의 도메인은 {has}인데, 여기에서는 {wants} 도메인이 필요해요. 결제한 것은 없어요. 다른 주소로 다시 시작해 주세요.",
  failed: "증명을 만들지 못했어요",
  chainSilent: "증명을 확인하는 체인이 응답하지 않아요.",
  refused: "검증 컨트랙트가 증명을 받아들이지 않았어요.",
  resume: "계속하기",
  paidKept: "결제는 남아 있어요. 계속해도 다시 결제되지 않아요.",
  nothingPaid: "결제한 것은 없어요.",
  sealedSignIn: "들어오셨어요. 인장에는 증명한 것만 담기고 다른 것은 담기지 않아요.",
  sealedJoin: "이제 {topic}의 멤버예요.",
  sealedPending: "관문을 지났어요. 소유자나 관리자가 가입 요청을 결정해요.",
  goOn: "계속하기",
  paid: "{amount} 결제함",
  elsewhere:
    "이 증명은 다른 탭에서 끝났거나 그만두었어요. 더 결제한 것은 없어요. 다른 증명을 하려면 다시 시작해 주세요.",
  expired: "결제가 쓰이기 전에 기한이 지났어요. 청구된 것은 없어요.",
  spent:
    "증명기가 처음 보낸 내용에 대한 결제를 이미 받았고, 이 결제는 다른 데에 쓸 수 없어요. 그 내용으로 증명을 만들 수 없었다면, 증명기가 금액을 결제한 지갑의 크레딧으로 보관해요. 다시 시작하면 새로 결제돼요.",
  inputsNeeded: "증명기에 한 번 더 보내 주어야 해요",
  inputsNeededDomain:
    "결제는 했지만, 약속대로 탭을 닫을 때 로그인 내용을 어디에도 남기지 않았어요. 한 번 더 로그인해 주세요. 증명기가 아직 쓰지 않았다면 같은 결제를 쓰고, 두 번 청구되지 않아요.",
  inputsNeededWallet:
    "결제는 했지만, 약속대로 탭을 닫을 때 서명을 어디에도 남기지 않았어요. 한 번 더 서명해 주세요. 같은 결제를 쓰고, 두 번 청구되지 않아요.",
  identifyAgain: "한 번 더 로그인하기",
  interrupted: "이 탭에서 다른 증명이 진행되고 있어요.",
} as const satisfies Translation<typeof en.run>;

export const wallet = {
  development: "개발용 지갑",
  developmentHint: "이 브라우저에만 있는 일회용 키예요. 로컬 체인의 가짜 돈이 들어 있어요.",
  noOffers: "이 사이트에는 증명을 결제할 방법이 없어요.",
  none: "이 브라우저에서 지갑을 찾지 못했어요.",
  noneHint: "지갑 확장 프로그램을 설치하고 페이지를 다시 불러오세요.",
  otherAccount: "{wallet}, 다른 계정",
  otherAccountHint:
    "보증받은 지갑만 아니면, 지갑이 공유하는 어떤 계정이든 돼요. 결제는 공개되므로 누구의 증명인지 드러날 수 있기 때문이에요.",
  notSeparate:
    "지갑이 보증받은 계정 말고는 공유하지 않는데, 그 계정으로는 결제하지 않아요. 지갑에서 다른 계정을 공유하거나 다른 지갑을 골라 주세요. 결제한 것은 없어요.",
  searching: "지갑을 찾는 중",
  browser: "브라우저 지갑에서 확인해 주세요.",
  rejected: "서명하지 않고 지갑이 닫혔어요. 결제한 것은 없어요.",
  funding: "개발용 지갑을 채우는 중",
  settledBy: {
    facilitator: "중개자가 정산",
    payee: "증명기가 정산",
    gateway: "게이트웨이 예치금에서 정산",
  },
  gas: "가스비 없음",
  public:
    "이 지갑이 언제 증명값으로 {amount}를 냈는지 {chain}에 영구히 공개되고, 바로 뒤에 가입한 사람이 누구인지 짐작할 수 있어요. 내 것으로 알려지지 않은 지갑을 쓰세요.",
  on: "{chain}에서",
} as const satisfies Translation<typeof en.wallet>;

/** A paid proof that waits, shown above every page. */
export const paid = {
  title: "결제한 증명이 기다리고 있어요",
  text: "계속해도 비용이 없어요.",
  lateTitle: "결제한 증명이 너무 늦었어요",
  for: {
    signIn: "로그인을 위한 증명이에요.",
    join: "토픽 ‘{topic}’ 가입을 위한 증명이에요.",
    create: "토픽 ‘{topic}’ 만들기를 위한 증명이에요.",
    relay: "다른 기기를 위한 증명이에요.",
    petition: "동작을 승인하는 증명이에요.",
  },
  goOn: "증명 계속하기",
  dismiss: "닫기",
  tooLate:
    "이 증명이 답하는 일회용 코드는 5분 동안만 유효한데 시간이 지나서 더 이상 여기에 쓸 수 없어요. 결제한 금액은 돌아오지 않아요. 다만 증명을 만들 수 없었던 경우에는 증명기가 결제한 지갑의 크레딧으로 보관해요.",
} as const satisfies Translation<typeof en.paid>;
