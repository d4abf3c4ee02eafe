-- Deletes one's own claim, and never an outcome.
-- ARGV: owner token. Returns 1 for ours or gone, 0 for another owner.
local head = redis.call('GETRANGE', KEYS[1], 3, 19)
if head == '' and redis.call('EXISTS', KEYS[1]) == 0 then
	return 1
end
if string.sub(head, 2) ~= ARGV[1] then
	return 0
end
if string.byte(head) == 1 or string.byte(head) == 4 then
	redis.call('DEL', KEYS[1])
end
return 1
