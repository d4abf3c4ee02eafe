-- Keeps a dead letter. KEYS: all letters by time, those of the route by time, the letter.
-- ARGV: the letter's id, its time in ms, the letter, for how long in ms.
redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4])
for i = 1, 2 do
	redis.call('ZADD', KEYS[i], ARGV[2], ARGV[1])
	redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', ARGV[2] - ARGV[4])
	redis.call('PEXPIRE', KEYS[i], ARGV[4])
end
return 1
