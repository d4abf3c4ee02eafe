-- Value and remaining life in one step: read apart, a settle in between would look like a lapse.
local value = redis.call('GET', KEYS[1])
if not value then
	return {}
end
return { value, redis.call('PTTL', KEYS[1]) }
