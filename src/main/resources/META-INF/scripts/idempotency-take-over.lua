-- Puts a claim in the place of an unknown outcome, or of a job at rest, that still is as it was seen.
-- ARGV: owner token as seen, lifetime in ms, the claim, state as seen. Returns {} if the claim is there now, else what is there.
local function number(octets, first, last)
	local number = 0
	for i = first, last do
		number = number * 256 + (string.byte(octets, i) or 0)
	end
	return number
end

local value = redis.call('GET', KEYS[1])
local remaining = redis.call('PTTL', KEYS[1])
if value then
	local owner = string.sub(value, 5, 20)
	local state = string.byte(value, 4)
	if owner == string.sub(ARGV[3], 5, 20) and state == string.byte(ARGV[3], 4) then
		return {}
	end
	local lapsed = state == 1 and number(value, 21, 26) - remaining > number(value, 27, 32)
	local resting = state >= 4 and state == tonumber(ARGV[4])
	if owner ~= ARGV[1] or not (state == 3 or lapsed or resting) then
		return { value, remaining }
	end
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
return {}
