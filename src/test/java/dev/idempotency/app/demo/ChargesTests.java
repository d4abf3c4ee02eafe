package dev.idempotency.app.demo;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChargesTests {

	private final Charges charges = new Charges();

	@Test
	void listsThoseMadeOldestFirst() {
		this.charges.make(5);
		this.charges.make(7);
		assertThat(this.charges.list())
			.isEqualTo(new Charges.Listing(2, 1000, List.of(new Charge("ch_1", 5), new Charge("ch_2", 7))));
	}

	@Test
	void countsMoreThanItKeeps() {
		for (int i = 0; i < Charges.KEPT + 2; i++) {
			this.charges.make(1);
		}
		assertThat(this.charges.count()).isEqualTo(Charges.KEPT + 2);
		assertThat(this.charges.list().charges()).hasSize(Charges.KEPT).first().isEqualTo(new Charge("ch_3", 1));
		assertThat(this.charges.find("ch_2")).isEmpty();
	}

}
