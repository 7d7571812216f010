/** What people say around what they want, in lower case. */

/** Words that say nothing of what is wanted. */
export const FILLER: ReadonlySet<string> = new Set(
  `please pls plz plse kindly now just quick quickly asap immediately right away real a an the my our your thx ty cheers
  lol haha hmm uh um oh lamplighter guys folks team pal mate dear there actually also really damn fucking bloody pronto
  urgently urgent friend everyone ffs omg hm somebody someone anybody anyone me rn atm anymore man dude anyway`.split(
    /\s+/,
  ),
);

/** Pictures that say no more than a mood or a haste, drawn and by their names in Slack; any other may take an order back, as ❌ does. */
export const PICTURES: ReadonlySet<string> = new Set(
  `🙏 pray 👍 +1 thumbsup 👌 ok_hand ✅ white_check_mark ✔ heavy_check_mark 🚀 rocket 🔥 fire 🚨 rotating_light ⚠ warning ❗ exclamation
  heavy_exclamation_mark ‼ bangbang ❤ heart 👀 eyes 👋 wave 🤞 crossed_fingers 🤖 robot_face 🎉 tada ⚡ zap 💥 boom 💀 skull 🔄
  arrows_counterclockwise ♻ recycle 🔁 repeat ☕ coffee ♂ ♀ smile smiley grinning grin joy laughing sweat_smile slightly_smiling_face
  wink blush sob cry scream rage angry weary tired_face sweat cold_sweat disappointed pensive worried grimacing flushed`.split(
    /\s+/,
  ),
);
/** Faces, drawn: from 😀 to 🙄. */
export const FACE = /^[\u{1F600}-\u{1F644}]$/u;

/** Words that say nothing at the beginning of a clause. */
export const LEADING: ReadonlySet<string> = new Set(
  'ok okay k alright maybe so well yes yeah sure hey hi hello yo bot and then go to'.split(' '),
);

const phrases = (all: string): readonly string[] => all.split(',').map((phrase) => phrase.trim());

/** The same in several words, wherever they stand. */
export const FILLER_PHRASES: readonly string[] = phrases(`
  for me, for us, for good, at once, right now, as soon as possible, real quick, thank you, from now on,
  at the moment, let me know, keep me posted, and let us see, and see, when you get a sec,
  when you get a chance, when you get a minute, when you have time, when you can, one after the other,
  one by one, one at a time, if you can, if possible, at all, in turn, by any chance
`);

/** The same at the beginning of a clause. */
export const LEADING_PHRASES: readonly string[] = phrases(`
  would you be so kind to, can someone, can somebody, can anyone, can anybody, could someone,
  could somebody, could anyone, could anybody, hi all, hello all, hey all, i think we should, we should,
  you should, you can, you could, i guess you can, make sure to, its time to, on second thought,
  could you, can you, would you, will you, can we, could we, can i get you to, i need you to,
  need you to, i want you to, want you to, i would like to, i want to, i need to, we need to, we want to,
  you need to, need to, time to, let us, go ahead and, go and, not again, why not
`);
