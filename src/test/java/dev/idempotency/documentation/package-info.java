/** Holds the documents to what the code says. */
@NullMarked
package dev.idempotency.documentation;

import org.jspecify.annotations.NullMarked;
