-- Removes a dead letter, unless it is newer than it was seen. KEYS: all letters by time, those of the route by time, the
-- letter. ARGV: the letter's id, its time as seen in ms. Returns 1 if it was there.
local time = redis.call('ZSCORE', KEYS[1], ARGV[1])
if time and tonumber(time) ~= tonumber(ARGV[2]) then
	return 0
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('DEL', KEYS[3])
