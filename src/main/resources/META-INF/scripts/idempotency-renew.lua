-- A sign of life: the record lives its whole lifetime from now on, and no byte of it changes.
-- ARGV: owner token, lifetime in ms, the claim. Returns 1 for ours, 0 for another owner.
local head = redis.call('GETRANGE', KEYS[1], 3, 19)
if head == '' and redis.call('EXISTS', KEYS[1]) == 0 then
	redis.call('SET', KEYS[1], ARGV[3], 'NX', 'PX', ARGV[2])
	return 1
end
if string.sub(head, 2) ~= ARGV[1] then
	return 0
end
if string.byte(head) == 1 then
	redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1
