/** An application of somebody else's, that has the plugin on its class path. */
@NullMarked
package com.example.host;

import org.jspecify.annotations.NullMarked;
