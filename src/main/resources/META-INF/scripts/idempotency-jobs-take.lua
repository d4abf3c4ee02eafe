-- Takes tickets: first those that somebody took and fell silent about, then new ones and postponed ones that are due.
-- KEYS: tickets, postponed tickets. ARGV: how many, time in ms after which a taken one comes again, life of a queue in ms.
-- Returns id and ticket of each, one after the other.
local most = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, most)
for _, ticket in ipairs(due) do
	redis.call('XADD', KEYS[1], '*', 't', ticket)
	redis.call('ZREM', KEYS[2], ticket)
end
if redis.call('EXISTS', KEYS[1]) == 0 then
	return {}
end
redis.pcall('XGROUP', 'CREATE', KEYS[1], 'gateways', '0')
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])

local taken = {}
local count = 0
local function add(entries)
	for _, entry in ipairs(entries) do
		if entry then
			table.insert(taken, entry[1])
			table.insert(taken, entry[2][2])
			count = count + 1
		end
	end
end

local cursor = '0-0'
repeat
	local reply = redis.call('XAUTOCLAIM', KEYS[1], 'gateways', 'gateway', ARGV[2], cursor, 'COUNT', most - count)
	cursor = reply[1]
	add(reply[2])
until cursor == '0-0' or count >= most
if count < most then
	local reply = redis.call('XREADGROUP', 'GROUP', 'gateways', 'gateway', 'COUNT', most - count, 'STREAMS', KEYS[1], '>')
	if reply then
		add(reply[1][2])
	end
end
return taken
