-- Deletes a record whose operation does not run, if it still has the owner an operator saw.
-- ARGV: owner token as seen. Returns 1 for gone, 0 for another owner or a claim within its lease.
local function number(octets, first, last)
	local number = 0
	for i = first, last do
		number = number * 256 + (string.byte(octets, i) or 0)
	end
	return number
end

local head = redis.call('GETRANGE', KEYS[1], 0, 31)
if head == '' and redis.call('EXISTS', KEYS[1]) == 0 then
	return 1
end
if string.sub(head, 5, 20) ~= ARGV[1] then
	return 0
end
local silent = number(head, 21, 26) - redis.call('PTTL', KEYS[1])
if string.byte(head, 4) == 1 and silent <= number(head, 27, 32) then
	return 0
end
redis.call('DEL', KEYS[1])
return 1
