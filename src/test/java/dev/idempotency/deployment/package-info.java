/** What a platform team gets: manifests, rules, dashboard, image. */
@NullMarked
package dev.idempotency.deployment;

import org.jspecify.annotations.NullMarked;
