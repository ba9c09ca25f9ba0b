/** Words of what is done with a post by those who read it. */

export const reaction = {
  list: "Reactions",
  add: "Add a reaction",
  chip: "{name}, {n, plural, one {1 person} other {{n, number} people}}",
  names: {
    thumbsUp: "Thumbs up",
    heart: "Heart",
    fire: "Fire",
    laughing: "Laughing",
    party: "Party",
    surprised: "Surprised",
  },
} as const;

export const poll = {
  label: "Poll",
  votes: "{n, plural, =0 {No votes yet} one {1 vote} other {{n, number} votes}}",
  option: "{text}: {percent}, {n, plural, one {1 vote} other {{n, number} votes}}",
  own: "your choice",
  one: "One choice",
  several: "Several choices",
  closes: "closes {when}",
  closed: "closed",
  takeBack: "Take back my vote",
  takeBackAll: "Take back my votes",
  resting: "Nobody can vote here now.",
  muted: "You are muted here and cannot vote.",
  signIn: "Sign in to vote",
  join: "Join to vote",
} as const;

export const gallery = {
  open: "Open {name}",
  image: "image {n, number}",
  more: "{n, number} more",
  label: "Images",
  at: "{n, number} of {total, number}",
  previous: "Previous image",
  next: "Next image",
  original: "Open the original",
  gone: "This image cannot be shown.",
} as const;

export const comment = {
  copyLink: "Copy link",
  edit: "Edit",
  editLabel: "Change your comment",
  sending: "Being sent",
  saved: "Your comment was changed.",
  inReplyTo: "In reply to {name}",
  inReplyToNobody: "In reply to a deleted comment",
  inReplyElsewhere: "In reply to an earlier comment",
  showReplies: "{n, plural, one {Show 1 reply} other {Show {n, number} replies}}",
  hideReplies: "{n, plural, one {Hide 1 reply} other {Hide {n, number} replies}}",
  repliesTo: "{action} to {name}",
  missing: "The comment this link leads to is not under this post. Here is the talk from its start.",
  middle: "These comments are from the middle of a long talk.",
  fromStart: "Read from the start",
} as const;

export const own = {
  edit: "Edit",
  editRecorded: "Recorded on-chain, so it stays as it is",
  deleted: "Your post was deleted.",
} as const;

export const share = {
  title: "Copy this link",
  text: "This browser did not let us copy. Mark the link and copy it yourself.",
  link: "Link",
} as const;
