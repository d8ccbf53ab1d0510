/** What an Operation may do, and to which groups and pods: targets, actions, rotations, rules. */
@NullMarked
package io.middleware.engine.planning.operation;

import org.jspecify.annotations.NullMarked;
