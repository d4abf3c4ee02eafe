/** The documentation, held to what the code says of itself. */
@NullMarked
package dev.idempotency.documentation;

import org.jspecify.annotations.NullMarked;
