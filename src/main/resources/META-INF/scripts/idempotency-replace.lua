-- Puts a record in the place of a claim that was withdrawn and is still as it was sent.
-- ARGV: owner token of that claim, lifetime in ms, the record. Returns 1 if it was there, else 0.
local head = redis.call('GETRANGE', KEYS[1], 3, 19)
local state = string.byte(head)
if not (state == 1 or state == 4) or string.sub(head, 2) ~= ARGV[1] then
	return 0
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
return 1
