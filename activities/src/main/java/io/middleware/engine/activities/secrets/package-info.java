/**
 * The Secrets that a task's component uses or makes: generated values, accounts, and the
 * connections of clients.
 */
@NullMarked
package io.middleware.engine.activities.secrets;

import org.jspecify.annotations.NullMarked;
