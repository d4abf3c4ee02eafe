-- Claims a key for a job and puts its ticket into the queue, in one step, on a server that has all keys.
-- KEYS: record, tickets, postponed tickets. ARGV: the claim, its lifetime in ms, most tickets, the ticket, life of a queue
-- in ms. Returns {} if the claim is there now, value and remaining life of what is there else, or { 'full' }.
local function known()
	local value = redis.call('GET', KEYS[1])
	return value and { value, redis.call('PTTL', KEYS[1]) }
end

local waiting = redis.call('XLEN', KEYS[2])
if waiting + redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[3]) then
	return known() or { 'full' }
end
if not redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then
	return known()
end
redis.call('XADD', KEYS[2], '*', 't', ARGV[4])
-- Whoever takes tickets prolongs the life of a queue that has some.
if waiting == 0 then
	redis.call('PEXPIRE', KEYS[2], ARGV[5])
end
return {}
