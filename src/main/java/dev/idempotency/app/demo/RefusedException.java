package dev.idempotency.app.demo;

import org.springframework.http.HttpStatus;

/** The request cannot be served as it is; nothing was charged. */
final class RefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final HttpStatus status;

	RefusedException(HttpStatus status, String message) {
		super(message);
		this.status = status;
	}

	static RefusedException badRequest(String message) {
		return new RefusedException(HttpStatus.BAD_REQUEST, message);
	}

	HttpStatus status() {
		return this.status;
	}

}
