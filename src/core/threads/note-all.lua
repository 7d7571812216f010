-- Notes which instances the card of a thread is about.
-- KEYS: thread
-- ARGV: how many are kept at most, ms to keep them, then for each its id and its record
for at = 3, #ARGV, 2 do noteAbout(KEYS[1], ARGV[at], ARGV[at + 1], ARGV[1], ARGV[2]) end
return 1
