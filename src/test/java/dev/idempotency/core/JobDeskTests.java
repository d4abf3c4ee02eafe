package dev.idempotency.core;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import dev.idempotency.core.IdempotencyRecord.State;
import dev.idempotency.core.TroubledStore.Step;
import dev.idempotency.store.memory.MemoryDeadLetters;
import dev.idempotency.store.memory.MemoryJobQueue;

import static dev.idempotency.core.EngineRig.CREATED;
import static dev.idempotency.core.EngineRig.ID;
import static org.assertj.core.api.Assertions.assertThat;

/** Requests that are taken on as jobs. */
class JobDeskTests {

	private final EngineRig rig = new EngineRig(PolicySample.hold());

	private final InstantSource clock = () -> Instant.EPOCH;

	private final JobQueue queue = new MemoryJobQueue(this.rig.store, this.rig::now);

	private final JobDesk desk = new JobDesk(PolicySample.hold(),
			new IdempotencyEngine(PolicySample.hold(), this.rig.services, this.rig.events), this.rig.services,
			new JobServices(this.queue, new MemoryDeadLetters(this.clock), new JobSignals(), this.clock),
			this.rig.events);

	@AfterEach
	void close() {
		this.rig.close();
	}

	@Test
	void the_same_job_again_is_a_repetition() {
		assertThat(submit(Duration.ZERO)).isInstanceOfSatisfying(Answer.Accepted.class,
				(accepted) -> assertThat(accepted.replayed()).isFalse());
		assertThat(submit(Duration.ZERO)).isInstanceOfSatisfying(Answer.Accepted.class,
				(accepted) -> assertThat(accepted.replayed()).isTrue());
	}

	@Test
	void a_job_that_began_before_its_claim_was_answered_is_no_repetition() {
		meanwhile(State.RUNNING);
		assertThat(submit(Duration.ZERO)).isInstanceOfSatisfying(Answer.Accepted.class,
				(accepted) -> assertThat(accepted.replayed()).isFalse());
	}

	@Test
	void nor_is_the_answer_of_one_that_ended_before_its_claim_was_answered() {
		meanwhile(State.DONE);
		assertThat(submit(Duration.ofSeconds(9))).isInstanceOf(Answer.InTime.class);
	}

	/** Whoever was quick with the ticket brought the record there. */
	private void meanwhile(State state) {
		this.rig.store.trouble(Step.CLAIM, (real) -> real.flatMap((claim) -> {
			IdempotencyRecord mine = ((Claim.Won) claim).record();
			return this.rig.memory
				.settle(ID,
						mine.moved(state, PolicySample.TTL, 1, false, mine.job().begun(Instant.EPOCH))
							.withResponse((state == State.DONE) ? CREATED : null))
				.then(this.rig.memory.find(ID));
		}));
	}

	private Answer submit(Duration patience) {
		JobId id = JobId.random(ID);
		Job job = Job.accepted(id, "route", JobOwner.of(new Caller("header:x-tenant", "alice"), id), Instant.EPOCH,
				null, new JobRequest("POST", "http://localhost/", List.of(), "body".getBytes(StandardCharsets.UTF_8),
						null, Map.of(), "key"));
		return EngineRig.now(this.desk
			.submit(new KeyedRequest(ID, EngineRig.BODY, patience), job, ScriptedUpstream.ending(EngineRig.DONE))
			.toFuture());
	}

}
