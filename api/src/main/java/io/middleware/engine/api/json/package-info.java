/** Reading custom resources so that one bad object disturbs no other. */
@NullMarked
package io.middleware.engine.api.json;

import org.jspecify.annotations.NullMarked;
