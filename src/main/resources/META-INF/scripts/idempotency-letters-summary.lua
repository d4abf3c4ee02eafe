-- Number of dead letters and time of the oldest in ms, 0 if there is none. KEYS: letters by time.
-- ARGV: time in ms before which they are too old.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { redis.call('ZCARD', KEYS[1]), oldest[2] and tonumber(oldest[2]) or 0 }
