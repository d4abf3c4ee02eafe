-- How many tickets a queue holds. KEYS: tickets, postponed tickets.
return redis.call('XLEN', KEYS[1]) + redis.call('ZCARD', KEYS[2])
