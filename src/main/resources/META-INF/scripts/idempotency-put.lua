-- Copies a record here if what stands here still is what was seen.
-- ARGV: state and owner token as seen, empty for nothing, remaining life in ms, the record. Returns 1 if it was so, else 0.
local head = redis.call('GETRANGE', KEYS[1], 3, 19)
if head ~= ARGV[1] or head == '' and redis.call('EXISTS', KEYS[1]) == 1 then
	return 0
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
return 1
