/**
 * Carries jobs out apart from the requests that brought them: workers, the exchange an
 * attempt runs in, and the posting of ends.
 */
@NullMarked
package dev.idempotency.jobs;

import org.jspecify.annotations.NullMarked;
