/**
 * Objects on the API server that others write as well: who owns a field, what has drifted, and
 * updates that are repeated after a conflict.
 */
@NullMarked
package io.middleware.engine.process.objects;

import org.jspecify.annotations.NullMarked;
