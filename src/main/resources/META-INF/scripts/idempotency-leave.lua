-- Leaves the room beside a record if one is in it. ARGV: the visitor's token.
if redis.call('GET', KEYS[1]) == ARGV[1] then
	redis.call('DEL', KEYS[1])
end
return 1
