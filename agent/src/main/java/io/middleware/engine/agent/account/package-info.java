/**
 * The accounts of the middleware, with the passwords that the pod mounts, also while they rotate.
 */
@NullMarked
package io.middleware.engine.agent.account;

import org.jspecify.annotations.NullMarked;
