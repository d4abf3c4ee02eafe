-- Disposes of a taken ticket, or puts another one in its place.
-- KEYS: tickets, postponed tickets. ARGV: id of the taken one, life of a queue in ms, and if it is to come again: the
-- ticket and its delay in ms. Returns 1 if it was there.
redis.call('XACK', KEYS[1], 'gateways', ARGV[1])
local there = redis.call('XDEL', KEYS[1], ARGV[1])
if there == 1 and ARGV[3] then
	if tonumber(ARGV[4]) == 0 then
		redis.call('XADD', KEYS[1], '*', 't', ARGV[3])
	else
		local time = redis.call('TIME')
		redis.call('ZADD', KEYS[2], time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[4], ARGV[3])
	end
	redis.call('PEXPIRE', KEYS[1], ARGV[2])
	redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
return there
