package dev.idempotency.jobs;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import dev.idempotency.core.JobId;
import dev.idempotency.testing.RedisMonitor;
import dev.idempotency.testing.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

class RedisJobsIT extends JobsContract {

	private static final RedisServer redis = RedisServer.start();

	@Override
	String[] store() {
		return new String[] { "spring.data.redis.port: " + redis.port(), "idempotency.store: redis",
				"idempotency.redis.timeout: 2s" };
	}

	@Test
	void lookingAtAJobIsOneReadOfTheStore() throws IOException {
		String location = this.rig.submit("/plain/looked-at", "looked-at");
		this.rig.awaitStatus(location, "SUCCEEDED");
		String digest = JobId.parse(location.replaceFirst("^.*/", "")).recordId().digest();
		try (RedisMonitor monitor = redis.monitor()) {
			for (String at : List.of(location, location + "/result")) {
				int before = monitor.commands(digest).size();
				assertThat(this.rig.look(at).status()).isLessThan(300);
				assertThat(monitor.commands(digest)).hasSize(before + 1);
			}
			assertThat(monitor.commands(":letter:")).isEmpty();
		}
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

}
