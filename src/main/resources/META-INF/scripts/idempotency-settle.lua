-- Writes the outcome over one's own claim, or where nothing stands any more.
-- ARGV: owner token, lifetime in ms, the outcome. Returns 1 for ours, 0 for another owner.
local head = redis.call('GETRANGE', KEYS[1], 3, 19)
if head == '' and redis.call('EXISTS', KEYS[1]) == 0 then
	redis.call('SET', KEYS[1], ARGV[3], 'NX', 'PX', ARGV[2])
	return 1
end
if string.sub(head, 2) ~= ARGV[1] then
	return 0
end
-- Nothing that comes later is truer than done: a late "unknown" of the same owner must not take it back.
if string.byte(head) == 2 then
	return 1
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
return 1
