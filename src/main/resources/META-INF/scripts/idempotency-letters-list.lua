-- Ids of dead letters, the newest first, behind their number in all. KEYS: letters by time.
-- ARGV: how many to leave out, how many at most, time in ms before which they are too old.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
local ids = {}
if tonumber(ARGV[2]) > 0 then
	ids = redis.call('ZREVRANGE', KEYS[1], ARGV[1], ARGV[1] + ARGV[2] - 1)
end
table.insert(ids, 1, tostring(redis.call('ZCARD', KEYS[1])))
return ids
