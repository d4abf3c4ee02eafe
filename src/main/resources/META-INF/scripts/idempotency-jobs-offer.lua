-- Puts a ticket into a queue.
-- KEYS: tickets, postponed tickets. ARGV: the ticket, delay in ms, most tickets, life of a queue in ms.
-- Returns 1, or 0 if the queue is full.
if redis.call('XLEN', KEYS[1]) + redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then
	return 0
end
if tonumber(ARGV[2]) == 0 then
	redis.call('XADD', KEYS[1], '*', 't', ARGV[1])
else
	local time = redis.call('TIME')
	redis.call('ZADD', KEYS[2], time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2], ARGV[1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1
