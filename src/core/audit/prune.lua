-- Forgets entries up to one, whose mark becomes the anchor, together with the entry that says so.
-- KEYS: anchor, ... · ARGV: stream id of the first entry that stays, number and hash of the newest one that goes, ...
redis.call('HSET', KEYS[1], 'seq', ARGV[2], 'hash', ARGV[3])
redis.call('XTRIM', KEYS[#KEYS - 1], 'MINID', ARGV[1])
auditWrite()
return 'pruned'
